package fakellm

// writeMessage answers in the format of Anthropic's messages.
func writeMessage(s *stream, q question, a answer) {
	reason := "end_turn"
	content := object{"type": "text", "text": a.text()}
	if a.call != nil {
		reason = "tool_use"
		content = object{"type": "tool_use", "id": "toolu_" + a.id, "name": a.call.Name, "input": a.call.Args}
	}
	message := func(content []object, reason any) object {
		return object{"id": "msg_" + a.id, "type": "message", "role": "assistant", "model": q.Model,
			"content": content, "stop_reason": reason, "stop_sequence": nil,
			"usage": object{"input_tokens": promptTokens, "output_tokens": answerTokens,
				"cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}}
	}
	if !q.Stream {
		s.whole(message([]object{content}, reason))
		return
	}
	event := func(kind string, v object) {
		v["type"] = kind
		s.event(kind, v)
	}
	delta := func(kind, name, text string) {
		event("content_block_delta", object{"index": 0, "delta": object{"type": kind, name: text}})
	}
	event("message_start", object{"message": message([]object{}, nil)})
	if a.call != nil {
		content["input"] = object{} // it follows in the delta
		event("content_block_start", object{"index": 0, "content_block": content})
		delta("input_json_delta", "partial_json", string(a.call.Args))
	} else {
		event("content_block_start", object{"index": 0, "content_block": object{"type": "text", "text": ""}})
		if !s.speak(a, func(word string) { delta("text_delta", "text", word) }) {
			return
		}
	}
	event("content_block_stop", object{"index": 0})
	event("message_delta", object{"delta": object{"stop_reason": reason, "stop_sequence": nil}, "usage": object{"output_tokens": answerTokens}})
	event("message_stop", object{})
}
