//go:build unix

package assist

const programSuffix = ""
