package fakellm

// writeContent answers in the format of Gemini's generateContent and streamGenerateContent.
func writeContent(s *stream, q question, a answer) {
	content := func(part object, reason string) object {
		candidate := object{"index": 0, "content": object{"role": "model", "parts": []object{part}}}
		if reason != "" {
			candidate["finishReason"] = reason
		}
		return object{"candidates": []object{candidate}, "modelVersion": "fake-model", "responseId": a.id,
			"usageMetadata": object{"promptTokenCount": promptTokens, "candidatesTokenCount": answerTokens, "totalTokenCount": totalTokens}}
	}
	text := func(text string) object { return object{"text": text} }
	switch {
	case a.call != nil:
		whole := content(object{"functionCall": object{"id": "fc_" + a.id, "name": a.call.Name, "args": a.call.Args}}, "STOP")
		if q.Stream {
			s.event("", whole)
		} else {
			s.whole(whole)
		}
	case !q.Stream:
		s.whole(content(text(a.text()), "STOP"))
	case s.speak(a, func(word string) { s.event("", content(text(word), "")) }):
		s.event("", content(text(""), "STOP"))
	}
}
