package store

import (
	"errors"
)

// What can go wrong. Each error of this package that has one of these in its tree
// is an *Error, which can say it in the person's language.
var (
	ErrNotFound   = errors.New("not in the history")
	ErrNameTaken  = errors.New("a channel has this name already")
	ErrBadName    = errors.New("a channel's name has 1 to 64 characters")
	ErrNotQueued  = errors.New("an agent has begun to answer the message")
	ErrUnwritable = errors.New("the history cannot be written")
	ErrDiskFull   = errors.New("the disk is full")
	ErrBusy       = errors.New("another program keeps the history locked")
	ErrDamaged    = errors.New("the history is damaged")
	ErrNewer      = errors.New("the history was written by a newer version")
	ErrSetAside   = errors.New("the history could not be read and was set aside")
	ErrNoWAL      = errors.New("the folder does not allow the fast way of writing")
)
