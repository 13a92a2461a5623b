package fakellm

import "fmt"

// writeChat answers in the format of OpenAI's chat completions.
func writeChat(s *stream, q question, a answer) {
	reason := "stop"
	message := object{"role": "assistant", "content": a.text()}
	if a.call != nil {
		reason = "tool_calls"
		message = object{"role": "assistant", "tool_calls": []object{{
			"index": 0, "id": "call_" + a.id, "type": "function",
			"function": object{"name": a.call.Name, "arguments": string(a.call.Args)},
		}}}
	}
	usage := object{"prompt_tokens": promptTokens, "completion_tokens": answerTokens, "total_tokens": totalTokens}
	envelope := func(kind string, choices []object, usage object) object {
		return object{"id": "chatcmpl-" + a.id, "object": kind, "created": 1, "model": q.Model, "choices": choices, "usage": usage}
	}
	if !q.Stream {
		s.whole(envelope("chat.completion", []object{{"index": 0, "message": message, "finish_reason": reason}}, usage))
		return
	}
	chunk := func(delta object, reason any) {
		s.event("", envelope("chat.completion.chunk", []object{{"index": 0, "delta": delta, "finish_reason": reason}}, nil))
	}
	if a.call != nil {
		chunk(message, nil)
	} else if !s.speak(a, func(word string) { chunk(object{"role": "assistant", "content": word}, nil) }) {
		return
	}
	chunk(object{}, reason)
	s.event("", envelope("chat.completion.chunk", []object{}, usage))
	fmt.Fprint(s.w, "data: [DONE]\n\n")
}

// writeResponse answers in the format of OpenAI's responses.
func writeResponse(s *stream, q question, a answer) {
	part := object{"type": "output_text", "text": a.text(), "annotations": []object{}}
	item := object{"type": "message", "id": "msg_" + a.id, "role": "assistant", "status": "completed", "content": []object{part}}
	opening := object{"type": "message", "id": "msg_" + a.id, "role": "assistant", "status": "in_progress", "content": []object{}}
	if a.call != nil {
		item = object{"type": "function_call", "id": "fc_" + a.id, "call_id": "call_" + a.id,
			"name": a.call.Name, "arguments": string(a.call.Args), "status": "completed"}
		opening = item
	}
	response := func(status string, output ...object) object {
		return object{"id": "resp_" + a.id, "object": "response", "created_at": 1, "model": q.Model, "status": status, "output": output,
			"usage": object{"input_tokens": promptTokens, "input_tokens_details": object{"cached_tokens": 0},
				"output_tokens": answerTokens, "output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": totalTokens}}
	}
	if !q.Stream {
		s.whole(response("completed", item))
		return
	}
	sequence := 0
	event := func(kind string, v object) {
		v["type"], v["sequence_number"] = kind, sequence
		sequence++
		s.event(kind, v)
	}
	event("response.created", object{"response": response("in_progress")})
	event("response.output_item.added", object{"output_index": 0, "item": opening})
	if a.call == nil {
		place := func(name string, v any) object {
			return object{"item_id": item["id"], "output_index": 0, "content_index": 0, name: v}
		}
		event("response.content_part.added", place("part", object{"type": "output_text", "text": "", "annotations": []object{}}))
		if !s.speak(a, func(word string) { event("response.output_text.delta", place("delta", word)) }) {
			return
		}
		event("response.output_text.done", place("text", a.text()))
		event("response.content_part.done", place("part", part))
	}
	event("response.output_item.done", object{"output_index": 0, "item": item})
	event("response.completed", object{"response": response("completed", item)})
}
