package markdown

import "strings"

// Keywords of languages that agents write most, beyond those of their family.
const (
	common     = "break case catch class const continue default do else enum false finally for if import in new null return static super switch this throw true try void while "
	goWords    = "break case chan const continue default defer else fallthrough false for func go goto if import interface iota map nil package range return select struct switch true type var any bool byte error float32 float64 int int32 int64 rune string uint uint8 uint32 uint64"
	cWords     = common + "auto bool char delete double explicit extern final float friend goto inline int long namespace noexcept nullptr operator override private protected public register short signed sizeof struct template typedef typename union unsigned using virtual volatile"
	javaWords  = common + "abstract as async await base bool boolean byte char companion data decimal double extends final float fun get implements init instanceof int interface internal is let long namespace object open out override package params partial private protected public readonly record sealed set short string suspend synchronized throws using val var virtual when where yield"
	jsWords    = common + "as async await any boolean declare delete export extends from function get implements instanceof interface keyof let namespace never number of private protected public readonly set string symbol type typeof undefined unknown var yield"
	rustWords  = "as async await bool break char const continue crate dyn else enum extern f32 f64 false fn for i32 i64 if impl in let loop match mod move mut pub ref return self Self static str struct super trait true type u8 u32 u64 unsafe use usize where while"
	swiftWords = common + "actor as async await extension fileprivate func guard init inout internal is let mutating nil operator private protocol public repeat self some struct throws typealias var where"
	phpWords   = common + "abstract and array as echo extends fn foreach function global implements include interface match namespace or private protected public require string trait use var xor"
	pyWords    = "and as assert async await break class continue def del elif else except False finally for from global if import in is lambda match case None nonlocal not or pass raise return self True try while with yield"
	rubyWords  = "alias and begin break case class def do else elsif end ensure false for if in module next nil not or redo require rescue retry return self super then true undef unless until when while yield"
	shWords    = "case do done elif else esac export fi for function if in local return select set then time until while cd echo exit printf read source sudo test unset"
	sqlWords   = "add all alter and as asc begin between by case check column commit constraint create cross default delete desc distinct drop else end exists foreign from full group having if in index inner insert into is join key left like limit not null on or order outer primary references returning right rollback select set table then union unique update using values view when where with"
	luaWords   = "and break do else elseif end false for function goto if in local nil not or repeat return then true until while"
	hsWords    = "case class data deriving do else if import in infix instance let module newtype of then type where"
	dockWords  = "add arg as cmd copy entrypoint env expose from healthcheck label onbuild run shell stopsignal user volume workdir"
	exWords    = "after case cond def defmodule defp do else end false fn for if import in nil not or and quote raise receive require rescue true try unless use when with"
	cssWords   = "important media import keyframes supports font-face"
	literals   = "true false null yes no on off"
	zigWords   = "and break catch comptime const continue defer else enum errdefer error false fn for if inline null or orelse pub return struct switch test true try undefined union unreachable usingnamespace var while"
)

// syntaxOf returns the syntax of a language by the names used after a fence.
func syntaxOf(lang string) (*syntax, bool) {
	slashes := syntax{comment: []string{"//"}, open: "/*", end: "*/", quotes: `"'`}
	hashes := syntax{comment: []string{"#"}, quotes: `"'`}
	with := func(s syntax, words string) (*syntax, bool) {
		s.words = map[string]bool{}
		for word := range strings.FieldsSeq(words) {
			s.words[word] = true
		}
		return &s, true
	}
	switch lang {
	case "go", "golang":
		slashes.long = "`"
		return with(slashes, goWords)
	case "c", "h", "cpp", "c++", "cc", "hpp", "objc", "objective-c", "arduino", "glsl":
		return with(slashes, cWords)
	case "java", "kotlin", "kt", "scala", "csharp", "cs", "c#", "dart", "groovy":
		slashes.long = "3"
		return with(slashes, javaWords)
	case "js", "javascript", "jsx", "mjs", "ts", "typescript", "tsx":
		slashes.long = "`"
		return with(slashes, jsWords)
	case "rust", "rs":
		slashes.quotes, slashes.long = "", `"`
		return with(slashes, rustWords)
	case "zig":
		return with(slashes, zigWords)
	case "swift":
		slashes.long = "3"
		return with(slashes, swiftWords)
	case "php":
		slashes.comment = []string{"//", "#"}
		return with(slashes, phpWords)
	case "css", "scss", "less":
		slashes.keys = true
		return with(slashes, cssWords)
	case "json", "jsonc", "json5":
		slashes.keys = true
		return with(slashes, literals)
	case "proto", "protobuf", "graphql", "hcl", "terraform", "tf":
		slashes.comment = []string{"//", "#"}
		return with(slashes, "enum false import message oneof option package query mutation subscription type input interface union repeated reserved resource data variable output provider module locals returns rpc service syntax true string int32 int64 bool bytes")
	case "python", "py", "python3", "starlark":
		hashes.long = "3"
		return with(hashes, pyWords)
	case "ruby", "rb":
		return with(hashes, rubyWords)
	case "elixir", "ex", "exs":
		hashes.long = "3"
		return with(hashes, exWords)
	case "sh", "bash", "shell", "zsh", "fish", "console", "shell-session", "make", "makefile", "perl", "r", "powershell", "ps1":
		return with(hashes, shWords)
	case "yaml", "yml", "toml", "ini", "conf", "properties", "env", "dotenv":
		hashes.comment, hashes.keys = []string{"#", ";"}, true
		if lang == "yaml" || lang == "yml" {
			hashes.comment = []string{"#"}
		}
		return with(hashes, literals)
	case "dockerfile", "docker", "containerfile":
		hashes.fold = true
		return with(hashes, dockWords)
	case "sql", "postgres", "postgresql", "mysql", "sqlite":
		return with(syntax{comment: []string{"--"}, open: "/*", end: "*/", quotes: `"'`, fold: true}, sqlWords)
	case "lua":
		return with(syntax{comment: []string{"--"}, quotes: `"'`}, luaWords)
	case "haskell", "hs", "elm":
		return with(syntax{comment: []string{"--"}, open: "{-", end: "-}", quotes: `"`}, hsWords)
	case "html", "xml", "svg", "vue", "svelte", "xhtml":
		return with(syntax{open: "<!--", end: "-->", quotes: `"'`, tags: true}, "")
	}
	return nil, false
}
