package config

import "strings"

// nearest returns the name that word is a slip of the keyboard away from, or
// "". Case does not count.
func nearest(word string, names []string) string {
	letters := []rune(strings.ToLower(word))
	best, least := "", min(max(1, len(letters)/3)+1, len(letters))
	for _, name := range names {
		if d := distance(letters, []rune(strings.ToLower(name)), least); d < least {
			best, least = name, d
		}
	}
	return best
}

// distance counts the letters to add, remove, change or swap with the next
// to go from a to b; most is enough when there are as many or more.
func distance(a, b []rune, most int) int {
	if max(len(a)-len(b), len(b)-len(a)) >= most {
		return most
	}
	var before, previous []int
	current := make([]int, len(b)+1)
	for j := range current {
		current[j] = j
	}
	for i := range a {
		before, previous, current = previous, current, make([]int, len(b)+1)
		current[0] = i + 1
		for j := range b {
			change := previous[j]
			if a[i] != b[j] {
				change++
			}
			current[j+1] = min(change, previous[j+1]+1, current[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				current[j+1] = min(current[j+1], before[j-1]+1)
			}
		}
	}
	return current[len(b)]
}
