// Package acp speaks the Agent Client Protocol, version 1: newline-delimited
// JSON-RPC 2.0 over a pair of streams, and the types its methods carry.
//
// [Conn] is the wire. It serves both sides: a client talks to an agent's stdin
// and stdout with it, and an agent written in Go talks to its client.
// Everything received is delivered in the order of the wire by one goroutine,
// and nothing the peer sends (noise, endless lines, floods, unknown messages)
// ends the connection: only the end of the stream does.
//
// The types are tolerant, as the protocol asks: an optional value that can't
// be read is left at its default, an item of a list that can't be read is left
// out, a kind that is not known is kept as raw JSON. They hold no state and
// make no decision: which session is whose, what is shown and what is allowed
// is the business of the caller.
package acp
