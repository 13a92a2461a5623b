#!/usr/bin/env node
// The Observer: a page that shows what a team of Claude Code agents does in
// this box. One file, no dependency, Node 20 or newer. It reads what Claude
// Code writes and what tmux shows; it never writes a file and never types
// into a pane.
//
//   node observer.mjs
//
// The environment it is started with:
//
//   OBSERVER_PORT    port to listen on; 4317 when unset
//   OBSERVER_HOST    address to listen on; 0.0.0.0 when unset, for a published
//                    port reaches a box by its own address alone
//   OBSERVER_ALLOW   more host names a browser may ask for, with commas
//                    between; localhost, 127.0.0.1 and [::1] always may, with
//                    any port, so that a port published under another number works
//   CLAUDE_DIR       where Claude Code keeps its files; ~/.claude when unset
//   WORKSPACE        the project's folder in the box; /workspace when unset.
//                    Sessions started in other folders are not shown
//   AGENTBOX_SESSION tmux session of the team; agentbox when unset
//   AGENTBOX_YOLO    1 when the lead runs without asking for permission
//   AGENTBOX_PROJECT what the page calls the project; WORKSPACE when unset
//
// tmux finds its server by TMUX or TMUX_TMPDIR, as always. The process writes
// one line, "observer: http://127.0.0.1:<port>/", once it listens, and ends
// with exit code 1 and a line that says why when it cannot.

import { execFile } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';

const PORT = Number(process.env.OBSERVER_PORT || 4317);
const HOST = process.env.OBSERVER_HOST || '0.0.0.0';
const CLAUDE = process.env.CLAUDE_DIR || path.join(os.homedir(), '.claude');
const WORKSPACE = process.env.WORKSPACE || '/workspace';
const SESSION = process.env.AGENTBOX_SESSION || 'agentbox';
const YOLO = process.env.AGENTBOX_YOLO === '1';
const PROJECT = process.env.AGENTBOX_PROJECT || WORKSPACE;
const NAMES = new Set(['localhost', '127.0.0.1', '[::1]',
  ...(process.env.OBSERVER_ALLOW || '').toLowerCase().split(',').map((name) => name.trim()).filter(Boolean)]);

const KB = 1024, MB = 1024 * KB, SECOND = 1000, DAY = 86400 * SECOND;
const TEXT = 4 * KB; // the most of one text that is kept or sent
const MESSAGES = 500; // messages kept of a team
const ROWS = 80; // rows of a transcript sent at once
const STREAMS = 100; // pages that may listen at once

// ---------------------------------------------------------------------------
// What was written by others: any value may be of any type and of any length.

const list = (v) => (Array.isArray(v) ? v : []);
const object = (v) => (v && typeof v === 'object' && !Array.isArray(v) ? v : {});

function str(v, max = 300) {
  const s = typeof v === 'string' ? v : v === undefined || v === null ? '' : JSON.stringify(v);
  if (s.length <= max) return s;
  return s.slice(0, /[\ud800-\udbff]/.test(s[max - 1]) ? max - 1 : max) + '…';
}

const line = (v, max = 200) => str(v, 4 * max).replace(/\s+/g, ' ').trim().slice(0, max);
const milliseconds = (v) => (typeof v === 'number' ? v : Date.parse(v)) || 0;

function parse(text) {
  try { return JSON.parse(text); } catch { return undefined; }
}

const entries = (dir) => {
  try { return fs.readdirSync(dir, { withFileTypes: true }); } catch { return []; }
};

// JSONFile is a small file that is rewritten as a whole, most often by a
// rename. A version that cannot be read or is not whole leaves the last good
// one in place and is tried again.
class JSONFile {
  constructor(file, max = 8 * MB) {
    this.file = file;
    this.max = max;
    this.value = undefined;
    this.version = '';
    this.time = 0;
  }

  // read reports whether the value is another one than before. The value of a
  // file that is gone is undefined.
  read() {
    const stat = fs.statSync(this.file, { throwIfNoEntry: false });
    if (!stat?.isFile()) {
      const had = this.value !== undefined;
      this.value = undefined;
      this.version = '';
      return had;
    }
    const version = `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
    if (version === this.version || stat.size > this.max) return false;
    const value = parse(fs.readFileSync(this.file, 'utf8'));
    if (value === undefined) return false;
    this.value = value;
    this.version = version;
    this.time = stat.mtimeMs;
    return true;
  }
}

// slug names the folder in which Claude Code keeps the sessions of a project.
const slug = (dir) => dir.replace(/[^A-Za-z0-9-]/g, '-');
const ours = (dir) => dir === WORKSPACE || (typeof dir === 'string' && dir.startsWith(WORKSPACE + '/'));

// ---------------------------------------------------------------------------
// Transcripts: one JSON object a line, appended to, up to many megabytes each.

const chunk = Buffer.allocUnsafe(MB);
const LONG = 32 * KB; // a line longer than this is pruned before it is parsed
const HEAD = 32 * KB; // a file's owner is on its first rows
const TOO_LONG = 64 * MB; // a line longer than this is passed over

// Rows that say nothing the page shows. Some hold whole prompts.
const DULL = /^\{"type":"(?:api-request|file-history|tools-used|atis-)|"attachment":\{/;

// prune returns the JSON text of a long line with its long strings cut, so
// that a file of ten megabytes inside of it is never decoded.
function prune(buf) {
  const parts = [];
  let from = 0;
  for (let open = buf.indexOf(0x22); open >= 0;) {
    let close = buf.indexOf(0x22, open + 1);
    for (; close >= 0; close = buf.indexOf(0x22, close + 1)) {
      let slashes = 0;
      while (buf[close - 1 - slashes] === 0x5c) slashes++;
      if (slashes % 2 === 0) break;
    }
    if (close < 0) break;
    if (close - open > 2 * TEXT) {
      let cut = open + 1;
      for (const end = open + TEXT; cut < end;) cut += buf[cut] !== 0x5c ? 1 : buf[cut + 1] === 0x75 ? 6 : 2;
      while ((buf[cut] & 0xc0) === 0x80) cut--;
      parts.push(buf.toString('utf8', from, cut), '…');
      from = close;
    }
    open = buf.indexOf(0x22, close + 1);
  }
  parts.push(buf.toString('utf8', from));
  return parts.join('');
}

// parseRow returns the object of a line, undefined for one that says nothing.
// A line that was torn by a crash may have the next row behind it.
function parseRow(buf) {
  if (buf.length < 2 || DULL.test(buf.latin1Slice(0, Math.min(240, buf.length)))) return undefined;
  const text = buf.length > LONG ? prune(buf) : buf.toString('utf8');
  const row = parse(text);
  if (row !== undefined) return object(row);
  for (const start of ['{"parentUuid":', '{"type":']) {
    const at = text.lastIndexOf(start);
    const rest = at > 0 ? parse(text.slice(at)) : undefined;
    if (rest !== undefined) return object(rest);
  }
  return undefined;
}

// Transcript is what one session wrote. It is read from where the last
// reading ended; a line without an end waits for the rest of it.
class Transcript {
  constructor(file, name, team) {
    this.file = file;
    this.session = path.basename(file, '.jsonl');
    this.name = name; // of the agent, '' for a lead
    this.team = team; // its id, '' when only the lead's configuration tells
    this.sub = false; // a helper's within an agent's turn: only its tokens count
    this.home = undefined; // the team
    this.known = 0; // the bytes at its start by which it was identified
    this.last = 0; // the time of the latest row
    this.watched = false; // whether a page shows its rows
    this.fresh = []; // rows to send
    this.flooded = false; // whether there were too many to send
    this.reset();
  }

  reset() {
    this.ino = 0;
    this.size = 0;
    this.offset = 0; // where the next line starts
    this.scanned = 0; // bytes behind offset known to hold no line end
    this.starts = []; // the lines that show something
    this.lengths = [];
    this.tokens = { input: 0, output: 0, write: 0, read: 0 };
    this.usages = new Map(); // the latest messages' usage, by id
    this.calls = new Map(); // tool calls that have no result yet
    this.busy = false; // within a turn
    this.since = 0; // when busy last changed
    this.again = this.last; // messages up to that time were told before
    this.last = 0;
    this.mode = ''; // the permission mode
  }

  get behind() {
    return this.ino === 0 || this.offset + this.scanned < this.size;
  }

  // stat reports whether there is more to read.
  stat() {
    const stat = fs.statSync(this.file, { throwIfNoEntry: false });
    if (!stat) return false;
    if (stat.ino !== this.ino || stat.size < this.size) {
      if (this.offset) for (const [id, t] of model.seen) if (t === this) model.seen.delete(id);
      this.reset();
    }
    this.ino = stat.ino;
    this.size = stat.size;
    return this.behind;
  }

  // read hands the next chunk's lines to take(row, start, length).
  read(take) {
    const fd = fs.openSync(this.file, 'r');
    try {
      const n = fs.readSync(fd, chunk, 0, chunk.length, this.offset + this.scanned);
      const text = chunk.subarray(0, n);
      let from = 0;
      for (let end = text.indexOf(10); end >= 0; end = text.indexOf(10, from)) {
        const length = this.scanned + end - from;
        attempt(() => {
          const row = this.scanned > 0 ? this.long(fd, length) : parseRow(text.subarray(from, end));
          if (row) take(row, this.offset, length);
        });
        this.offset += length + 1;
        this.scanned = 0;
        from = end + 1;
      }
      this.scanned += n - from;
      if (n === 0) this.size = this.offset + this.scanned;
    } finally {
      fs.closeSync(fd);
    }
  }

  long(fd, length) {
    if (length > TOO_LONG) return undefined;
    return parseRow(bytes(fd, this.offset, length));
  }

  // identify finds out whose transcript it is by its first rows: the names are
  // on every row of a teammate, but on none of a lead.
  identify() {
    if (this.team || this.known >= HEAD || (fs.statSync(this.file, { throwIfNoEntry: false })?.size || 0) <= this.known) return;
    const fd = fs.openSync(this.file, 'r');
    try {
      const first = bytes(fd, 0, HEAD), text = first.toString('utf8');
      const field = (name) => parse((text.match(new RegExp(`"${name}":\\s*("(?:[^"\\\\]|\\\\.)*")`)) || [])[1] || '""') || '';
      this.known = first.length;
      this.team = str(field('teamName'), 200);
      this.name = str(field('agentName'), 100);
      this.parent = str(field('sessionId'), 100);
    } finally {
      fs.closeSync(fd);
    }
  }

  // rows returns what at most n lines that show something say, those before
  // the given start, oldest first.
  rows(before = Infinity, n = ROWS) {
    let end = this.starts.length;
    while (end > 0 && this.starts[end - 1] >= before) end--;
    const out = [];
    if (end === 0) return out;
    const fd = fs.openSync(this.file, 'r');
    try {
      for (let i = Math.max(0, end - n); i < end; i++) {
        const row = parseRow(bytes(fd, this.starts[i], this.lengths[i]));
        if (row) out.push(...shown(row, this.starts[i], this.session));
      }
    } finally {
      fs.closeSync(fd);
    }
    return out;
  }

  // count adds a message's tokens once, whatever the number of its rows: each
  // repeats the message's usage, and the last one's is the right one.
  count(message, seen) {
    const id = str(message.id, 100), usage = object(message.usage);
    if (!id || !message.usage) return;
    const old = this.usages.get(id);
    if (!old && seen.has(id)) return; // a resumed session repeats the one before it
    const now = {
      input: Number(usage.input_tokens) || 0, output: Number(usage.output_tokens) || 0,
      write: Number(usage.cache_creation_input_tokens) || 0, read: Number(usage.cache_read_input_tokens) || 0,
    };
    for (const kind in now) this.tokens[kind] += now[kind] - (old ? old[kind] : 0);
    seen.set(id, this);
    this.usages.delete(id);
    this.usages.set(id, now);
    if (this.usages.size > 64) this.usages.delete(this.usages.keys().next().value);
  }

  turn(busy, time) {
    if (busy !== this.busy || !this.since) this.since = time;
    this.busy = busy;
    if (!busy) this.calls.clear();
  }
}

function bytes(fd, at, length) {
  const buf = Buffer.allocUnsafe(length);
  return buf.subarray(0, fs.readSync(fd, buf, 0, length, at));
}

// ---------------------------------------------------------------------------
// What a row shows.

const OPENING = /<teammate-message((?:\s+[\w-]+="[^"]*")*)\s*>/g;

// received returns the messages of teammates that a prompt holds.
function received(text) {
  const out = [];
  OPENING.lastIndex = 0;
  for (let m = OPENING.exec(text); m; m = OPENING.exec(text)) {
    const end = text.indexOf('</teammate-message>', OPENING.lastIndex);
    if (end < 0) break;
    const of = new Map([...m[1].matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
    out.push({ from: str(of.get('teammate_id'), 100), summary: str(of.get('summary')), text: text.slice(OPENING.lastIndex, end).trim() });
    OPENING.lastIndex = end;
  }
  return out;
}

const blocks = (row) => {
  const content = object(row.message).content;
  return typeof content === 'string' ? [{ type: 'text', text: content }] : list(content).map(object);
};

const plain = (content) => (typeof content === 'string' ? content
  : list(content).map((b) => (object(b).type === 'text' ? str(b.text, TEXT) : `[${str(object(b).type)}]`)).join('\n'));

// argument is what a tool is called with, in a few words.
function argument(input) {
  const file = input.file_path ?? input.notebook_path ?? input.path;
  if (typeof file === 'string') return line(file.startsWith(WORKSPACE + '/') ? file.slice(WORKSPACE.length + 1) : file);
  if (input.to) return line(`${str(input.to)} ${str(input.summary ?? '')}`);
  if (input.taskId) return line(`#${str(input.taskId)} ${str(input.status ?? '')}`);
  for (const key of ['command', 'pattern', 'url', 'query', 'subject', 'name', 'description', 'skill', 'prompt']) {
    if (typeof input[key] === 'string') return line(input[key]);
  }
  return '';
}

// change counts the lines that a call adds and removes.
function change(input, result) {
  const patch = list(object(result).structuredPatch);
  if (patch.length) {
    const lines = patch.flatMap((hunk) => list(object(hunk).lines));
    return [lines.filter((l) => String(l)[0] === '+').length, lines.filter((l) => String(l)[0] === '-').length];
  }
  if (typeof input?.content === 'string' && input.file_path) return [input.content.split('\n').length, 0];
  if (typeof input?.old_string !== 'string' || typeof input.new_string !== 'string') return undefined;
  const old = input.old_string.split('\n'), now = input.new_string.split('\n');
  while (old.length && now.length && old[0] === now[0]) { old.shift(); now.shift(); }
  while (old.length && now.length && old.at(-1) === now.at(-1)) { old.pop(); now.pop(); }
  return [now.length, old.length];
}

// shown returns what the page shows of a row.
function shown(row, start, session) {
  const out = [], time = milliseconds(row.timestamp);
  const add = (kind, more) => out.push({ id: `${session}.${start}.${out.length}`, time, kind, ...more });
  if (row.type === 'queue-operation') {
    if (row.operation === 'enqueue' && row.content) add('queued', { text: str(row.content, TEXT) });
  } else if (row.type === 'system') {
    if (notable(row)) add('note', { text: str(row.content || object(row.error).message || row.subtype, TEXT) });
  } else for (const b of blocks(row)) {
    if (row.type === 'assistant') {
      if (b.type === 'text') add('text', { text: str(b.text, TEXT), error: row.isApiErrorMessage === true });
      else if (b.type === 'thinking') { if (b.thinking) add('thinking', { text: str(b.thinking, TEXT) }); }
      else if (b.input) {
        add('tool', { call: str(b.id), name: line(b.name), text: argument(object(b.input)),
          more: str(JSON.stringify(b.input, null, 2), TEXT), change: change(object(b.input)) });
      }
    } else if (b.type === 'tool_result') {
      add('result', { call: str(b.tool_use_id), text: str(plain(b.content), TEXT), error: b.is_error === true, change: change(null, row.toolUseResult) });
    } else if (b.type === 'text' && !row.isMeta) {
      const messages = received(str(b.text, MB));
      for (const m of messages) add('message', { name: m.from, ...told(m.text) });
      if (!messages.length) add('prompt', { text: str(b.text, TEXT).replace(/<\/?(?:command|local-command|bash)-[\w-]+>/g, ' ').trim() });
    }
  }
  return out;
}

const notable = (row) => row.subtype === 'compact_boundary' || row.subtype === 'api_error' || row.level === 'error';

const shows = (row) => row.type === 'assistant' || (row.type === 'user' && !row.isMeta) ||
  (row.type === 'queue-operation' && row.operation === 'enqueue') || (row.type === 'system' && notable(row));

// told splits a message that is a notice of the protocol from one in words.
function told(text) {
  const data = text[0] === '{' ? object(parse(text)) : {};
  if (typeof data.type !== 'string') return { text: str(text, TEXT) };
  const about = data.taskId ? `#${str(data.taskId)} ${str(data.subject)}` : data.reason || data.content || data.result || data.description || '';
  return { notice: line(data.type, 60), text: line(about) };
}

// ---------------------------------------------------------------------------
// Teams.

// blank is a task nothing is known of. Its file is true while there is one,
// false once it was deleted, undefined when none was ever seen.
const blank = (id) => ({ id, subject: '', description: '', form: '', owner: '', status: 'pending', blockedBy: [], started: 0, ended: 0, file: undefined });

class Team {
  constructor(id) {
    this.id = id;
    this.config = new JSONFile(path.join(CLAUDE, 'teams', id, 'config.json'), MB);
    this.live = false;
    this.lead = 'team-lead';
    this.leads = new Set(); // sessions of the lead: there is a new one after /clear
    this.members = new Map(); // all that were ever seen, by name
    this.files = new Set(); // transcripts
    this.inboxes = new Map();
    this.tasks = new Map(); // all that were ever seen, by id
    this.taskFiles = new Map();
    this.board = false; // whether the folder of tasks exists
    this.plans = []; // what the transcripts tell of tasks
    this.planned = 0; // how many of those are on the board
    this.messages = [];
    this.byKey = new Map();
    this.fresh = new Set(); // messages to send
    this.asks = new Map(); // questions of teammates, by id
    this.viewed = false;
    this.count = 0;
    this.sent = '';
  }

  get created() {
    return milliseconds(object(this.config.value).createdAt) || Math.max(0, ...[...this.files].map((t) => t.last || t.mtime || 0));
  }

  member(name) {
    if (!this.members.has(name)) this.members.set(name, { name, pane: '', color: '', model: '', type: '', listed: false });
    return this.members.get(name);
  }

  // configure takes over what config.json says now.
  configure() {
    const config = object(this.config.value);
    for (const member of this.members.values()) member.listed = false;
    for (const m of list(config.members).slice(0, 200).map(object)) {
      const name = str(m.name, 100);
      if (!name) continue;
      const member = this.member(name);
      if (config.leadAgentId ? m.agentId === config.leadAgentId : m.agentType === 'team-lead') this.lead = name;
      Object.assign(member, {
        listed: true, pane: /^%\d+$/.test(m.tmuxPaneId) ? m.tmuxPaneId : '', within: m.tmuxPaneId === 'in-process', color: str(m.color, 30), model: str(m.model, 100),
        type: str(m.agentType, 100), joined: milliseconds(m.joinedAt), active: m.isActive, cwd: m.cwd,
      });
    }
    if (config.leadSessionId) this.leads.add(str(config.leadSessionId, 100));
  }

  // tell notes one of the up to three places that tell of the same message:
  // the sender's transcript (sent), the inbox until it is read (waiting), and
  // the receiver's transcript (received).
  tell(place, { id, from, to, text, summary, time }) {
    text = text.trim();
    const key = (name) => `${from}\n${name}\n${text.slice(0, 500)}`;
    const same = [...this.byKey.get(key(to)) || [], ...this.byKey.get(key('*')) || []]; // as many as were sent in the same words
    const untold = (m) => (m[place] === undefined || (m.all && place === 'received')) && (!id || !m.uid);
    let message = same.find((m) => id && m.uid === id) || same.find(untold);
    if (!message) {
      message = { id: ++this.count, from, to, all: to === '*', time, summary: str(summary), ...told(text) };
      this.messages.push(message);
      if (!this.byKey.has(key(to))) this.byKey.set(key(to), []);
      this.byKey.get(key(to)).push(message);
      message.key = key(to);
      this.forget();
    }
    if (id) message.uid = id;
    if (place === 'sent' || !message.time) message.time = time;
    message[place] = true;
    this.fresh.add(message);
    return message;
  }

  // forget drops the oldest messages of too many.
  forget() {
    if (this.messages.length < 2 * MESSAGES) return;
    this.messages.sort((a, b) => a.time - b.time);
    for (const m of this.messages.splice(0, this.messages.length - MESSAGES)) {
      this.fresh.delete(m);
      const rest = (this.byKey.get(m.key) || []).filter((other) => other !== m);
      if (rest.length) this.byKey.set(m.key, rest); else this.byKey.delete(m.key);
    }
  }

  // readInboxes notes what waits to be read. A message is removed from its
  // inbox as soon as it is read, so that an empty one tells nothing.
  readInboxes() {
    let changed = false;
    const dir = path.join(CLAUDE, 'teams', this.id, 'inboxes');
    for (const entry of entries(dir)) {
      if (!entry.name.endsWith('.json')) continue;
      if (!this.inboxes.has(entry.name)) this.inboxes.set(entry.name, { file: new JSONFile(path.join(dir, entry.name)), waiting: new Map() });
    }
    for (const [name, inbox] of this.inboxes) {
      if (!inbox.file.read()) continue;
      changed = true;
      const now = new Map(), to = name.slice(0, -'.json'.length);
      for (const m of list(inbox.file.value).slice(-MESSAGES).map(object)) {
        const text = str(m.text, MB), from = str(m.from, 100), time = milliseconds(m.timestamp);
        const id = str(m.msg_id, 100) || `${from} ${m.timestamp} ${text.slice(0, 100)}`;
        if (m.read === true && !inbox.waiting.has(id)) continue;
        this.ask(from, to, text, time);
        const message = inbox.waiting.get(id) || this.tell('waiting', { id: str(m.msg_id, 100), from, to, text, summary: m.summary, time });
        if (m.read !== true) now.set(id, message);
      }
      for (const [id, message] of inbox.waiting) {
        if (now.has(id)) continue;
        message.waiting = false;
        this.fresh.add(message);
      }
      inbox.waiting = now;
    }
    return changed;
  }

  // ask notes a question for permission, and its answer.
  ask(from, to, text, time) {
    const data = text[0] === '{' ? object(parse(text)) : {};
    const id = str(data.request_id ?? data.requestId, 100);
    if (this.asks.size > 100) this.asks.delete(this.asks.keys().next().value);
    if (/permission_request$/.test(data.type)) {
      const input = object(data.input);
      this.asks.set(id, { name: from, time, call: str(data.tool_use_id ?? data.toolUseId, 100), tool: line(data.tool_name ?? data.toolName),
        what: argument(input) || line(data.description ?? object(data.hostPattern).host) });
    } else if (data.type === 'plan_approval_request') {
      this.asks.set(id, { name: from, time, call: '', tool: '', what: '' });
    } else if (/_response$|_approved$|_rejected$/.test(data.type)) {
      this.asks.delete(id);
    }
  }

  // settle drops the questions that were answered, and reports whether it
  // did: who waits for an answer writes nothing.
  settle() {
    const before = this.asks.size;
    for (const [id, ask] of this.asks) {
      const t = this.of(ask.name).at(-1);
      if (!this.members.get(ask.name)?.listed) this.asks.delete(id);
      else if (t && !t.behind && !t.calls.has(ask.call) && t.last > ask.time + (ask.call ? 0 : SECOND)) this.asks.delete(id);
    }
    return this.asks.size !== before;
  }

  // questions are all that wait for an answer: those told in the lead's inbox,
  // one that the record of its session tells of, and those on the screens. A
  // teammate's is asked in the lead's pane.
  questions() {
    const lead = model.leadPane(this), others = [...this.members.values()].filter((m) => m.name !== this.lead && m.listed);
    const out = [...this.asks.values()].map(({ name, tool, what }) => ({ name, tool, what, pane: '' }));
    const pending = (name) => [...this.of(name).at(-1)?.calls.values() || []].at(-1);
    const add = (name, pane) => {
      const call = pending(name);
      if (out.some((ask) => ask.name === name)) return;
      out.push({ name, tool: call?.name || '', what: call?.text || '', pane: pane || (call ? '' : lead) });
    };
    for (const m of others) if (tmux.asks(m.pane)) add(m.name, m.pane);
    const record = model.running(this), told = record?.status === 'waiting'
      && !(this.of(this.lead).at(-1)?.last > milliseconds(record.statusUpdatedAt ?? record.updatedAt) + 2 * SECOND);
    if (!told && !tmux.asks(lead)) return out;
    const own = told ? !/worker|sandbox/.test(record.waitingFor) : !!pending(this.lead);
    const askers = own ? [] : others.filter((m) => pending(m.name));
    if (own || !out.some((ask) => !ask.pane)) add(askers.length === 1 ? askers[0].name : this.lead);
    return out;
  }

  // readTasks notes what the board says. The files of a board are deleted soon
  // after its last task is completed: those stay here.
  readTasks() {
    let changed = false;
    const dir = path.join(CLAUDE, 'tasks', this.id);
    const names = entries(dir).map((entry) => entry.name);
    this.board = names.length > 0;
    for (const name of names) {
      if (/^[\w-]{1,100}\.json$/.test(name) && !this.taskFiles.has(name)) this.taskFiles.set(name, new JSONFile(path.join(dir, name), MB));
    }
    for (const [name, file] of this.taskFiles) {
      if (!file.read()) continue;
      changed = true;
      const id = name.slice(0, -'.json'.length), v = object(file.value);
      if (file.value === undefined) {
        this.taskFiles.delete(name);
        const task = this.tasks.get(id);
        if (task) task.file = false;
        continue;
      }
      this.put(id, { subject: str(v.subject), description: str(v.description, TEXT), form: str(v.activeForm), owner: str(v.owner, 100),
        status: str(v.status, 30), blockedBy: list(v.blockedBy).slice(0, 50).map((b) => str(b, 20)), file: true }, file.time);
    }
    return changed;
  }

  // put notes what a task's file says.
  put(id, change, time) {
    const old = this.tasks.get(id);
    const again = old?.file === false && old.status === 'completed' && change.status !== 'completed';
    if (again) this.tasks.set(`${id}~${old.ended}`, old); // the number was given anew
    const task = old && !again ? old : blank(id), was = task.status;
    this.tasks.set(id, Object.assign(task, change));
    if (task.status === 'in_progress' && (was !== 'in_progress' || !task.started)) task.started = time;
    if (task.status === 'completed' && (was !== 'completed' || !task.ended)) task.ended = time;
  }

  // of returns the transcripts of an agent, the latest last.
  of(name) {
    return [...this.files].filter((t) => !t.sub && (t.name || this.lead) === name).sort((a, b) => a.last - b.last);
  }

  // take notes what a row of a transcript tells.
  take(t, row, start, length) {
    const time = milliseconds(row.timestamp) || t.last;
    const message = object(row.message);
    if (row.type === 'assistant') t.count(message, model.seen);
    if (t.sub) return;
    if (time > t.last) t.last = time;
    if (typeof row.permissionMode === 'string') t.mode = row.permissionMode;
    if (shows(row)) {
      t.starts.push(start);
      t.lengths.push(length);
      if (t.watched && t.fresh.length < 3 * ROWS) t.fresh.push(...shown(row, start, t.session));
      else if (t.watched) t.flooded = true;
    }
    if (row.type === 'system' && row.subtype === 'turn_duration') t.turn(false, time);
    if (row.type === 'assistant') this.said(t, row, message, time);
    if (row.type === 'user' && !row.isMeta) this.heard(t, row, time);
  }

  said(t, row, message, time) {
    const reason = message.stop_reason;
    t.turn(!reason || reason === 'tool_use' || reason === 'pause_turn', time);
    for (const b of blocks(row)) {
      if (b.type !== 'tool_use') continue;
      const input = object(b.input);
      const call = { name: line(b.name), text: argument(input), time };
      if (b.name === 'TaskCreate' || b.name === 'TaskUpdate') call.input = input;
      t.calls.set(str(b.id, 100), call);
      if (t.calls.size > 500) t.calls.delete(t.calls.keys().next().value);
    }
  }

  heard(t, row, time) {
    const name = t.name || this.lead;
    for (const b of blocks(row)) {
      if (b.type === 'tool_result') {
        const id = str(b.tool_use_id, 100), call = t.calls.get(id);
        t.calls.delete(id);
        t.turn(true, time);
        const result = object(row.toolUseResult);
        if (call?.input && result.success !== false) {
          const task = str(call.input.taskId ?? object(result.task).id, 20);
          if (task) this.plans.push({ id: task, input: call.input, time });
        }
        const routing = object(result.routing);
        if (routing.target && routing.content && time > t.again) {
          const target = str(routing.target, 100).replace(/^@/, '');
          this.tell('sent', { id: str(result.msg_id, 100), from: str(routing.sender, 100) || name, to: list(result.recipients).length ? '*' : target,
            text: str(routing.content, MB), summary: routing.summary, time });
        }
        continue;
      }
      const text = str(b.text, MB);
      if (text.startsWith('[Request interrupted')) t.turn(false, time);
      else if (!/^<(?:local-command|command-|bash-)/.test(text)) t.turn(true, time);
      for (const m of time > t.again ? received(text) : []) {
        this.ask(m.from, name, m.text, time);
        this.tell('received', { from: m.from, to: name, text: m.text, summary: m.summary, time });
      }
    }
  }

  // plan repeats what the transcripts tell of tasks, in the order of time, for
  // those that have no file any more.
  plan() {
    if (this.planned === this.plans.length) return false;
    this.plans.sort((a, b) => a.time - b.time);
    this.planned = this.plans.length;
    const board = new Map();
    for (const { id, input, time } of this.plans) {
      if (input.status === 'deleted') { board.delete(id); continue; }
      if (!board.has(id)) board.set(id, blank(id));
      const task = board.get(id);
      for (const [key, of] of [['subject', 'subject'], ['description', 'description'], ['form', 'activeForm'], ['owner', 'owner'], ['status', 'status']]) {
        if (input[of] !== undefined) task[key] = str(input[of], key === 'description' ? TEXT : 300);
      }
      task.blockedBy.push(...list(input.addBlockedBy).slice(0, 50).map((b) => str(b, 20)));
      if (input.status === 'in_progress') task.started = time;
      if (input.status === 'completed') task.ended = time;
    }
    for (const [id, plan] of board) {
      const task = this.tasks.get(id);
      if (!task || task.file === undefined) { if (plan.subject) this.tasks.set(id, plan); continue; }
      task.started = plan.started || task.started;
      if (task.status === plan.status && plan.ended) task.ended = plan.ended;
    }
    return true;
  }

  // state tells how an agent is, and since when. Its row goes only when its
  // pane and config.json agree that it is gone.
  state(member) {
    const files = this.of(member.name), t = files.at(-1);
    const pane = member.name === this.lead ? model.leadPane(this) : member.pane;
    const missing = pane && tmux.panes ? !tmux.panes.has(pane) || tmux.panes.get(pane).dead : false;
    const known = pane && tmux.panes && !missing;
    const out = { name: member.name, pane: known || !tmux.panes ? pane : '', files, state: 'gone', why: '', doing: '', tool: '', since: t?.last || member.joined || 0 };
    if (!this.live) return out;
    if (missing && member.listed) return { ...out, state: 'ghost', why: 'pane' };
    if (!member.listed) return known && member.name !== this.lead ? { ...out, state: 'ghost', why: 'config' } : out;
    const busy = t?.since ? t.busy : member.active === true;
    if (!busy) return { ...out, state: 'idle', since: t?.since || out.since };
    const call = t && [...t.calls.values()].at(-1);
    const task = [...this.tasks.values()].find((k) => k.file && k.owner === member.name && k.status === 'in_progress' && k.form);
    return { ...out, state: 'busy', since: t?.since || 0, tool: call?.name || '', doing: call ? call.text : task ? task.form : '', why: t?.mode === 'plan' ? 'plan' : '' };
  }

  // view returns all that the page shows of the team but messages and rows.
  view() {
    const members = [...this.members.values()].map((m) => ({ m, s: this.state(m) }));
    const tokens = (name) => {
      const sum = { input: 0, output: 0, write: 0, read: 0 };
      for (const t of this.files) if ((t.name || this.lead) === name) for (const kind in sum) sum[kind] += t.tokens[kind];
      return sum;
    };
    members.sort((a, b) => (b.m.name === this.lead) - (a.m.name === this.lead) || (a.m.joined || 0) - (b.m.joined || 0));
    const open = (id) => { const t = this.tasks.get(id); return t && t.file && t.status !== 'completed'; };
    const lead = model.leadPane(this);
    return {
      id: this.id, live: this.live, lead: this.lead, leadPane: lead, leadWindow: tmux.panes?.get(lead)?.window || 'main',
      yolo: YOLO || this.of(this.lead).at(-1)?.mode === 'bypassPermissions',
      members: members.map(({ m, s: { files, ...s } }) => ({ ...s, lead: m.name === this.lead, within: m.within, color: m.color, model: m.model, type: m.type, tokens: tokens(m.name) })),
      tasks: [...this.tasks.values()]
        .filter((k) => k.file || k.status === 'completed' || !this.board && !this.live)
        .map((k) => ({ id: k.id, subject: k.subject, description: k.description, owner: k.owner, status: k.status, started: k.started, ended: k.ended,
          blockedBy: k.blockedBy.filter(open), deleted: !k.file })),
      asks: this.live ? this.questions() : [],
    };
  }
}

// ---------------------------------------------------------------------------
// The model: all teams of the project, and the reading that keeps them.

const model = {
  teams: new Map(),
  files: new Map(), // transcripts by path
  seen: new Map(), // whose transcript has the tokens of a message, by its id
  sessions: new Map(), // records of running sessions, by file name
  changed: true,
  reading: 0, // bytes still to be read

  // leadPane is the pane the lead runs in.
  leadPane(team) {
    if (!team.live) return '';
    const record = this.running(team);
    const told = /%\d+$/.exec(str(record?.tmux))?.[0];
    if (told && tmux.panes?.has(told)) return told;
    for (const [id, pane] of tmux.panes || []) if (pane.window === 'main') return id;
    return told || '';
  },

  // running is the record of the team's lead while it runs in this box.
  running(team) {
    for (const { value } of this.sessions.values()) {
      if (value && team.leads.has(value.sessionId) && alive(value.pid, value.procStart)) return value;
    }
    return undefined;
  },

  lives(team) {
    const config = team.config.value;
    if (!config) return false;
    if (this.running(team)) return true;
    const process = object(config.leadProcess);
    if (process.pidSpace) return process.pidSpace === pidSpace && alive(process.pid, process.procStart);
    // Versions that say neither: the latest team made since tmux was started.
    if ([...this.sessions.values()].some((s) => s.value?.sessionId === config.leadSessionId)) return false;
    const created = milliseconds(config.createdAt);
    return !!tmux.panes?.size && created >= tmux.started && ![...this.teams.values()].some((t) => milliseconds(object(t.config.value).createdAt) > created);
  },

  // discover finds teams, sessions and transcripts that are new or gone.
  discover() {
    for (const entry of entries(path.join(CLAUDE, 'sessions'))) {
      if (/^\d+\.json$/.test(entry.name) && !this.sessions.has(entry.name)) this.sessions.set(entry.name, new JSONFile(path.join(CLAUDE, 'sessions', entry.name), MB));
    }
    for (const [name, file] of this.sessions) {
      this.changed = file.read() || this.changed;
      if (file.value === undefined && !file.version) this.sessions.delete(name);
    }
    for (const entry of entries(path.join(CLAUDE, 'teams'))) {
      if (this.teams.has(entry.name) || !entry.isDirectory()) continue;
      const team = new Team(entry.name);
      team.config.read();
      if (!this.belongs(team)) continue;
      team.configure();
      this.teams.set(team.id, team);
      this.changed = true;
    }
    for (const team of this.teams.values()) {
      for (const { value } of this.sessions.values()) {
        if (value && object(object(team.config.value).leadProcess).pid === value.pid && team.live && ours(value.cwd)) team.leads.add(str(value.sessionId, 100));
      }
      const live = this.lives(team);
      if (live !== team.live) this.changed = true;
      team.live = live;
    }
    this.transcripts();
    watch(path.join(CLAUDE, 'teams'), path.join(CLAUDE, 'sessions'), ...this.dirs());
    for (const team of this.active()) watch(...['teams', 'tasks'].map((d) => path.join(CLAUDE, d, team.id)), path.join(CLAUDE, 'teams', team.id, 'inboxes'));
  },

  // belongs reports whether a team works in this box's project.
  belongs(team) {
    const config = object(team.config.value);
    const folders = list(config.members).map((m) => object(m).cwd).filter(Boolean);
    if (folders.length) return folders.some(ours);
    return typeof config.leadSessionId === 'string' && fs.existsSync(path.join(CLAUDE, 'projects', slug(WORKSPACE), path.basename(config.leadSessionId) + '.jsonl'));
  },

  dirs() {
    const dirs = new Set([slug(WORKSPACE)]);
    for (const team of this.teams.values()) for (const m of team.members.values()) if (ours(m.cwd)) dirs.add(slug(m.cwd));
    return [...dirs].map((dir) => path.join(CLAUDE, 'projects', dir));
  },

  transcripts() {
    for (const dir of this.dirs()) {
      for (const entry of entries(dir)) {
        const file = path.join(dir, entry.name);
        if (!entry.name.endsWith('.jsonl') || this.files.has(file)) continue;
        const mtime = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs || 0;
        const t = new Transcript(file, '', '');
        t.mtime = mtime;
        t.sub = t.session.startsWith('agent-');
        this.files.set(file, t);
      }
    }
    const recent = Date.now() - 7 * DAY;
    for (const t of this.files.values()) {
      if (t.home) continue;
      attempt(() => t.identify());
      let team = t.team && this.teams.get(t.team);
      if (!team) team = [...this.teams.values()].find((other) => other.leads.has(t.session));
      if (!team && t.sub) team = [...this.files.values()].find((other) => other.session === t.parent)?.home;
      if (!team && t.team && path.basename(t.team) === t.team && t.team[0] !== '.' && t.mtime > recent && !this.foreign(t.team)) this.teams.set(t.team, team = new Team(t.team));
      if (team) this.join(t, team);
    }
    for (const team of this.active()) {
      for (const t of [...team.files]) if (!t.sub) this.helpers(team, t);
    }
  },

  foreign: (id) => fs.existsSync(path.join(CLAUDE, 'teams', id, 'config.json')),

  join(t, team) {
    t.home = team;
    team.files.add(t);
    if (t.name) team.member(t.name);
    else if (!t.sub) { team.member(team.lead); team.leads.add(t.session); }
    if (/^session-[0-9a-f]{8}$/.test(team.id)) {
      for (const other of this.files.values()) if (!other.home && other.session.startsWith(team.id.slice(8))) this.join(other, team);
    }
    this.changed = true;
  },

  // helpers finds the transcripts of agents that run within a session:
  // teammates of the in-process mode, and helpers that come and go.
  helpers(team, t) {
    const dir = path.join(path.dirname(t.file), t.session, 'subagents');
    for (const entry of entries(dir)) {
      const file = path.join(dir, entry.name);
      if (!entry.name.endsWith('.jsonl') || this.files.has(file)) continue;
      const meta = object(attempt(() => parse(fs.readFileSync(file.replace(/jsonl$/, 'meta.json'), 'utf8'))));
      const mate = meta.taskKind === 'in_process_teammate' && typeof meta.name === 'string';
      const sub = new Transcript(file, mate ? str(meta.name, 100) : t.name, team.id);
      sub.sub = !mate;
      this.files.set(file, sub);
      this.join(sub, team);
    }
  },

  // active are the teams that are read: those that run, and those looked at.
  active() {
    const active = [...this.teams.values()].filter((team) => team.live || team.viewed);
    return active.length ? active : this.sorted().slice(0, 1);
  },

  // sorted lists teams, running ones first, the latest first.
  sorted: () => [...model.teams.values()].sort((a, b) => b.live - a.live || b.created - a.created),

  // poll reads all that changed, for at most some milliseconds of transcripts,
  // and reports whether there is more to read; the small files only when asked.
  poll(small) {
    const active = this.active();
    for (const team of small ? active : []) {
      if (team.config.read()) { team.configure(); this.changed = true; }
      this.changed = team.readInboxes() || this.changed;
      this.changed = team.readTasks() || this.changed;
    }
    const end = Date.now() + 25;
    this.reading = 0;
    const wanted = [];
    for (const team of active) for (const t of team.files) if (attempt(() => t.stat())) wanted.push(t);
    wanted.sort((a, b) => b.watched - a.watched || a.size - b.size);
    for (const t of wanted) {
      while (t.behind && Date.now() < end) {
        this.changed = true;
        if (attempt(() => { t.read((row, start, length) => t.home.take(t, row, start, length)); return true; }) === undefined) break;
      }
      this.reading += t.size - t.offset - t.scanned;
    }
    if (!this.reading) for (const team of active) this.changed = team.plan() || this.changed;
    for (const team of active) this.changed = team.settle() || this.changed;
    return this.reading > 0 && Date.now() >= end;
  },
};

const complaints = new Set();

// attempt returns undefined for what fails, and says once why.
function attempt(what) {
  try {
    return what();
  } catch (error) {
    if (!complaints.has(error.message) && complaints.size < 100) {
      complaints.add(error.message);
      console.error(`observer: ${error.message}`);
    }
    return undefined;
  }
}

const pidSpace = attempt(() => `${os.hostname()}#${fs.readlinkSync('/proc/self/ns/pid')}`) || '';

// alive reports whether the process with this number is the one that started then.
function alive(pid, start) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !start || stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] === String(start);
  } catch {
    return false;
  }
}

// Watching only makes the reading quicker: some mounts raise no events.
const watched = new Map();

function watch(...dirs) {
  for (const dir of dirs) {
    if (watched.has(dir) || watched.size > 200) continue;
    try {
      const watcher = fs.watch(dir, { persistent: false }, (event) => soon(event === 'rename'));
      watcher.on('error', () => { watcher.close(); watched.delete(dir); });
      watched.set(dir, watcher);
      const inode = fs.statSync(dir).ino;
      watcher.inode = inode;
    } catch { /* not there yet */ }
  }
  for (const [dir, watcher] of watched) {
    if (fs.statSync(dir, { throwIfNoEntry: false })?.ino === watcher.inode) continue;
    watcher.close();
    watched.delete(dir);
  }
}

// ---------------------------------------------------------------------------
// tmux: which panes there are, and what they show.

const tmux = {
  panes: undefined, // by id; undefined while tmux cannot be asked
  started: 0, // when the session was
  asking: false,
  changed: 0, // when they last showed something else

  // look asks tmux for the panes and, when somebody looks, for their contents,
  // all in one call.
  look() {
    if (this.asking) return;
    this.asking = true;
    const args = ['-u', 'list-panes', '-s', '-t', `=${SESSION}:`, '-F', 'pane\t#{pane_id}\t#{pane_dead}\t#{window_name}\t#{session_created}'];
    if (viewers.size) for (const id of this.panes?.keys() || []) args.push(';', 'display-message', '-p', `\x1e${id}`, ';', 'capture-pane', '-ep', '-t', id);
    execFile('tmux', args, { timeout: 2 * SECOND, maxBuffer: 8 * MB }, (error, out) => {
      this.asking = false;
      attempt(() => this.heard(error, out));
    });
  },

  heard(error, out) {
    const [top, ...screens] = out.split('\x1e');
    const panes = new Map();
    for (const [kind, id, dead, window, started] of top.split('\n').map((l) => l.split('\t'))) {
      if (kind !== 'pane') continue;
      panes.set(id, { dead: dead === '1', window, text: this.panes?.get(id)?.text });
      this.started = Number(started) * SECOND;
    }
    for (const screen of screens) {
      const end = screen.indexOf('\n'), pane = panes.get(screen.slice(0, end));
      if (pane) pane.text = screen.slice(end + 1, 256 * KB).trimEnd();
    }
    const before = this.panes;
    this.panes = panes.size ? panes : /no server|no such file|can't find|ENOENT/i.test(String(error)) ? undefined : this.panes;
    const same = this.panes === before || (before && this.panes && before.size === this.panes.size
      && [...this.panes].every(([id, p]) => { const q = before.get(id); return q && q.dead === p.dead && q.window === p.window && q.text === p.text; }));
    if (same) return;
    this.changed = Date.now();
    model.changed = true;
    soon();
  },

  // asks reports whether a question waits on the screen of a pane: a list of
  // numbered answers, of which one is chosen.
  asks(id) {
    const text = this.panes?.get(id)?.text;
    if (!text) return false;
    const end = text.replace(/\x1b\[[\d;:]*m/g, '').split('\n').slice(-30).join('\n');
    return /❯\s*\d\.\s+\S/.test(end) && /^[\s│]*\d\.\s+\S/m.test(end);
  },
};

// ---------------------------------------------------------------------------
// The pages that listen: each gets all of its team at first, and then what
// changes. One that reads too slowly gets all anew once it has caught up.

const viewers = new Set();

class Viewer {
  constructor(response, team, agent) {
    this.response = response;
    this.wanted = team;
    this.agent = agent;
    this.missed = false;
    this.since = 0;
    this.begin();
    response.on('drain', () => { this.since = 0; if (this.missed) this.begin(); });
  }

  // team is the one wanted, or the first there is.
  team() {
    return model.teams.get(this.wanted) || model.sorted()[0];
  }

  send(event, data) {
    if (this.response.writableLength > MB) {
      this.missed = true;
      this.since ||= Date.now();
      return;
    }
    this.response.write(`event: ${event}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  }

  begin() {
    this.missed = false;
    this.last = '';
    this.rows = undefined;
    this.pane = undefined;
    this.of = this.team();
    if (this.of) this.of.viewed = true;
    const messages = this.of ? [...this.of.messages].sort((a, b) => a.time - b.time).slice(-MESSAGES) : [];
    this.send('messages', { all: true, messages: messages.map(sendable) });
    this.update();
  }

  // update sends what changed since the last one.
  update() {
    if (this.team() !== this.of) return this.begin();
    const state = this.of?.sent || snapshot(this.of);
    if (state !== this.last) this.send('state', this.last = state);
    if (!this.of) return;
    if (this.of.fresh.size) this.send('messages', { messages: [...this.of.fresh].map(sendable) });
    const agent = this.of.members.has(this.agent) ? this.agent : this.of.lead;
    const t = this.of.of(agent).at(-1);
    if (!t) {
      if (this.rows !== null) this.send('rows', { all: true, agent, rows: [], older: false });
      this.rows = null;
    } else if (this.rows !== t || t.flooded) {
      if (t.behind) t.watched = true; // the rest of it is read first
      else {
        this.rows = t;
        t.watched = true;
        const rows = attempt(() => t.rows()) || [];
        this.send('rows', { all: true, agent, rows, older: t.starts.length > ROWS });
      }
    } else if (t.fresh.length) this.send('rows', { agent, rows: t.fresh });
    const member = this.of.members.get(agent);
    const id = member && this.of.live ? (agent === this.of.lead ? model.leadPane(this.of) : member.pane) : '';
    const shown = tmux.panes?.get(id);
    const pane = JSON.stringify({ agent, pane: shown && !shown.dead ? id : '', text: shown?.text ?? '' });
    if (pane !== this.pane) this.send('pane', this.pane = pane);
  }
}

const sendable = ({ key, uid, all, ...m }) => m;

function snapshot(team) {
  return JSON.stringify({
    project: PROJECT, reading: model.reading,
    teams: model.sorted().slice(0, 50).map((t) => ({ id: t.id, live: t.live, created: t.created })),
    team: team ? team.view() : null,
  });
}

function publish() {
  for (const team of model.teams.values()) team.sent = '';
  for (const viewer of viewers) if (viewer.of && !viewer.of.sent) viewer.of.sent = snapshot(viewer.of);
  for (const viewer of viewers) attempt(() => viewer.update());
  const looked = new Set([...viewers].map((v) => v.rows));
  for (const team of model.teams.values()) {
    team.viewed = [...viewers].some((v) => v.of === team);
    if (team.fresh.size) team.fresh.clear();
    for (const t of team.files) {
      if (t.fresh.length) t.fresh = [];
      if (!t.behind) t.flooded = false;
      t.watched = looked.has(t) || (t.watched && viewers.size > 0 && t.behind);
    }
  }
}

let timer, discovered = 0, nextDiscovery = 0, nextLook = 0, nextSync = 0, published = 0, ticked = 0, readSmall = 0, woken = true;

function tick() {
  const now = ticked = Date.now();
  if (now >= nextDiscovery) {
    discovered = now;
    nextDiscovery = now + SECOND;
    attempt(() => model.discover());
  }
  if (now >= nextLook) {
    nextLook = now + (!viewers.size ? 5 : now - tmux.changed < 5 * SECOND ? 1 : 2) * SECOND;
    tmux.look();
  }
  const small = woken || now - readSmall > 400;
  if (small) readSmall = now;
  woken = false;
  const more = attempt(() => model.poll(small));
  if (model.changed && now - tmux.changed >= 5 * SECOND) nextLook = Math.min(nextLook, now + SECOND);
  if (model.changed && (!more || Date.now() - published > 200)) {
    model.changed = false;
    published = Date.now();
    publish();
  }
  if (now >= nextSync) {
    nextSync = now + 5 * SECOND;
    for (const viewer of viewers) {
      if (viewer.since && now - viewer.since > 60 * SECOND) viewer.response.destroy();
      else viewer.send('sync', '{}');
    }
  }
  timer = setTimeout(tick, more ? 1 : viewers.size ? 250 : 500);
}

// soon has the next reading done now, at most every 50 milliseconds; a new
// file is looked for at most every 250.
function soon(renamed) {
  if (renamed) nextDiscovery = Math.min(nextDiscovery, discovered + 250);
  woken = true;
  clearTimeout(timer);
  timer = setTimeout(tick, Math.max(1, ticked + 50 - Date.now()));
}

// ---------------------------------------------------------------------------
// HTTP.

const sha = (text) => `'sha256-${crypto.createHash('sha256').update(text).digest('base64')}'`;

function answer(response, status, type, body, headers = {}) {
  response.writeHead(status, { ...HEADERS, 'Content-Type': type, 'Content-Length': Buffer.byteLength(body), ...headers });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

const refuse = (response, status, why, headers) => answer(response, status, 'text/plain; charset=utf-8', why + '\n', headers);

// known reports whether the request was made to a name of this machine: a page
// of another site that had its own name point here would ask with that name.
function known(host) {
  const name = /^(\[[0-9a-f:]+\]|[^:]+)(?::\d+)?$/.exec((host || '').toLowerCase());
  return !!name && (NAMES.has(name[1]) || NAMES.has(host.toLowerCase()));
}

function serve(request, response) {
  if (!known(request.headers.host)) return refuse(response, 403, 'This name is not one the Observer answers to.');
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405, 'The Observer can be read only.', { Allow: 'GET, HEAD', Connection: 'close' });
  const url = new URL(request.url, 'http://observer');
  const team = model.teams.get(url.searchParams.get('team')) || model.sorted()[0];
  switch (url.pathname) {
    case '/': return answer(response, 200, 'text/html; charset=utf-8', PAGE);
    case '/healthz': return refuse(response, 200, 'ok');
    case '/state': return answer(response, 200, 'application/json', snapshot(team));
    case '/rows': return older(response, team, url.searchParams);
    case '/events': return listen(request, response, url.searchParams);
    default: return refuse(response, 404, 'There is nothing here.');
  }
}

// older answers with the rows before the given one, of the file it is in or
// of the agent's file before that.
function older(response, team, params) {
  const files = team ? team.of(params.get('agent') || team.lead) : [];
  const [session, start] = (params.get('before') || '').split('.');
  let i = files.findIndex((t) => t.session === session), before = Number(start);
  if (i < 0) { i = files.length - 1; before = Infinity; }
  let rows = i >= 0 ? files[i].rows(before) : [];
  for (; !rows.length && i > 0; i--) rows = files[i - 1].rows();
  const first = rows[0]?.id.split('.')[1];
  answer(response, 200, 'application/json', JSON.stringify({ rows, older: rows.length > 0 && (i > 0 || Number(first) > (files[i].starts[0] ?? 0)) }));
}

function listen(request, response, params) {
  if (viewers.size >= STREAMS) return refuse(response, 503, 'Too many pages listen.', { 'Retry-After': '10' });
  response.writeHead(200, { ...HEADERS, 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
  if (request.method === 'HEAD') return response.end();
  response.write('retry: 1000\n\n');
  const viewer = new Viewer(response, params.get('team'), params.get('agent'));
  viewers.add(viewer);
  response.on('close', () => viewers.delete(viewer));
  nextLook = 0;
  soon();
}

// ---------------------------------------------------------------------------
// The page. Its script is the function client, its styles are STYLE; it shows
// every text as text.

const STYLE = `
:root{color-scheme:light;--bg:#fbfbfa;--panel:#fff;--line:#e4e4e0;--text:#1d1d1b;--mute:#5f5f5a;--accent:#5050c8;--ok:#217a4d;--warn:#8f5600;--err:#bb2c45;--code:#f5f5f2}
@media (prefers-color-scheme:dark){:root{color-scheme:dark;--bg:#191a1c;--panel:#1f2023;--line:#2e3034;--text:#e9e9e6;--mute:#a8a9a4;--accent:#a6a6f7;--ok:#5cc08d;--warn:#e0a33e;--err:#f0718a;--code:#25262a}}
*{box-sizing:border-box;margin:0}
[hidden]{display:none!important}
body{font:14px/1.5 Inter,system-ui,sans-serif;background:var(--bg);color:var(--text);height:100vh;height:100dvh;display:grid;grid-template-columns:260px minmax(0,1fr) 420px;grid-template-rows:auto 1fr}
header{grid-column:1/-1;min-height:52px;border-bottom:1px solid var(--line);display:flex;align-items:center;gap:14px;padding:0 20px}
h1{font-size:16px}
button,select,input{font:inherit;color:inherit;background:none;border:0;padding:0;text-align:inherit}
button,select,summary{cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:8px}
.pill{border:1px solid var(--line);border-radius:20px;padding:2px 10px;font-size:12.5px;color:var(--mute);white-space:nowrap;overflow:hidden;text-overflow:ellipsis;min-width:0}
.pill.warn{color:var(--warn);border-color:var(--warn)}
.pill:focus-visible{border-radius:20px}
select.pill,.row select{appearance:none;field-sizing:content;padding-right:14px;background:linear-gradient(45deg,transparent 50%,var(--mute) 50%) calc(100% - 4px) 55%/4px 4px no-repeat,linear-gradient(135deg,var(--mute) 50%,transparent 50%) right 55%/4px 4px no-repeat}
select.pill{max-width:240px;padding-right:26px;background-position:calc(100% - 14px) 55%,calc(100% - 10px) 55%}
select.pill option{background:var(--panel);color:var(--text)}
.end{margin-left:auto;flex-shrink:0}
#find{flex-shrink:0}#find input{width:170px;outline:0;color:var(--text)}
#find:focus-within{outline:2px solid var(--accent);outline-offset:2px}
aside,main,section{padding:16px;min-height:0;min-width:0;display:flex;flex-direction:column}
aside{border-right:1px solid var(--line);overflow:auto}section{border-left:1px solid var(--line)}
h2,h3{font-size:12px;color:var(--mute);font-weight:500;margin-bottom:8px}
.row{display:flex;align-items:baseline;gap:12px}.row h2{flex:1}.row select,.row button{font-size:12px;color:var(--mute);max-width:150px}.row button[aria-pressed=true]{color:var(--text);text-decoration:underline;text-underline-offset:3px}.row select option{background:var(--panel);color:var(--text)}
.a{display:grid;width:100%;grid-template-columns:12px minmax(0,1fr) auto;gap:10px;padding:8px;border-radius:8px;align-items:center}
.a:hover,.a[aria-pressed=true]{background:var(--code)}.a:focus-visible{outline-offset:-2px}
.a span,.a small{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.a small{display:block;color:var(--mute);font-size:12px}
.d{width:8px;height:8px;border-radius:50%;background:var(--ok)}.d.busy{background:var(--accent)}.d.ghost{background:none;border:1.5px solid var(--mute)}.d.gone{background:none;border:1.5px solid var(--line)}
.tok{font-size:12px;color:var(--mute);text-align:right}
aside details{margin-top:8px}aside summary{font-size:12px;color:var(--mute);padding:4px 8px}
.ask{border:1px solid var(--warn);border-radius:8px;padding:8px 10px;font-size:13px;margin-bottom:12px;overflow-wrap:anywhere}
code,pre{font-family:"JetBrains Mono",monospace}
.k{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:12px;margin-bottom:18px;flex-shrink:0}
.k>div{display:flex;flex-direction:column;min-height:0}.col{overflow:auto;max-height:36vh}
.c{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:8px 10px;margin-bottom:8px;font-size:13px;overflow-wrap:anywhere}
.c summary{list-style:none}.c summary::-webkit-details-marker{display:none}.c small{color:var(--mute);display:block}.c p{margin-top:6px;white-space:pre-wrap;color:var(--mute)}
.list{overflow:auto;flex:1;min-height:120px}
.m{border-bottom:1px solid var(--line);padding:8px 0;font-size:13px;overflow-wrap:anywhere}
.m b{font-weight:600}.m time{color:var(--mute);float:right;font-size:12px;margin-left:10px}.m .t{white-space:pre-wrap}
.m summary{list-style:none}.m summary::-webkit-details-marker{display:none}.m.mute,.m.mute b{color:var(--mute);font-weight:400}
.m.bad>summary>b,.m.bad>b{color:var(--err)}.m pre{margin:6px 0 0}
.m .cut{display:-webkit-box;-webkit-line-clamp:8;-webkit-box-orient:vertical;overflow:hidden}
.in{font:12px/1.5 "JetBrains Mono",monospace;background:var(--code);border-radius:8px;padding:8px 10px;max-height:300px;overflow:auto;white-space:pre-wrap}
#pane{font-size:12px;line-height:1.5;background:#141517;color:#d9d9d4;border-radius:8px;padding:10px;height:330px;flex-shrink:0;overflow:auto;white-space:pre;margin-bottom:14px}
.none{color:var(--mute);font-size:13px;padding:8px 0}.more{font-size:12px;color:var(--mute);padding:4px 0;text-decoration:underline}
nav{display:none}
dialog{background:var(--panel);color:var(--text);border:1px solid var(--line);border-radius:12px;padding:20px 24px;margin:auto}
dialog::backdrop{background:#0006}dialog dl{display:grid;grid-template-columns:auto 1fr;gap:6px 16px;margin:10px 0 14px;font-size:13px}
kbd{font:12px "JetBrains Mono",monospace;border:1px solid var(--line);border-radius:4px;padding:1px 5px}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
@media (max-width:1200px){body{grid-template-columns:240px minmax(0,1fr) 360px}}
@media (max-width:1000px){body{grid-template-columns:220px minmax(0,1fr);grid-template-rows:auto minmax(0,1fr) minmax(0,1fr)}aside{grid-area:2/1/4/2}main{grid-area:2/2}section{grid-area:3/2;border-left:0;border-top:1px solid var(--line)}#pane{height:150px}.col{max-height:20vh}}
@media (max-width:700px){
body{display:flex;flex-direction:column}header{flex-wrap:wrap;gap:8px;padding:10px 16px}.end{margin-left:0}
nav{display:flex;border-bottom:1px solid var(--line);padding:0 8px}nav button{flex:1;text-align:center;padding:10px 4px;font-size:13px;color:var(--mute);border-bottom:2px solid transparent}
nav button[aria-pressed=true]{color:var(--text);border-color:var(--accent)}
aside,main,section{border:0;flex:1;overflow:auto;order:2}main{order:1}
body:not([data-view=tasks]):not([data-view=messages])>main{flex:none;padding-bottom:0}body:not([data-view=tasks]):not([data-view=messages])>main>:not(#asks),body:not([data-view=tasks]):not([data-view=messages])>main:has(#asks:empty){display:none}
body:not([data-view=team])>aside,body:not([data-view=agent])>section{display:none}
body[data-view=tasks] #feed,body[data-view=tasks] #messages,body[data-view=tasks] #nomessages,body[data-view=messages] #board{display:none}.k{grid-template-columns:1fr;gap:0}.col{max-height:none}.a{padding:10px 8px}#pane{height:240px}}
@media (prefers-reduced-motion:no-preference){.d.busy{animation:b 2s infinite}@keyframes b{50%{opacity:.45}}}
`;

const TEXTS = {
  en: {
    team: 'Team', alive: 'Team · {0} of {1} alive', tasks: 'Tasks', pending: 'Pending · {0}', in_progress: 'In progress · {0}', completed: 'Completed · {0}',
    messages: 'Messages', agent: 'Agent', transcript: 'Transcript', pane: '{0} · pane {1} · live', nopane: '{0} · no pane', inprocess: '{0} · in the lead’s process',
    ask: '{0} asks permission to run {1}: answer in the lead\'s pane (window {2}, {3}).', askplan: '{0} asks to have its plan approved: answer in the lead\'s pane (window {2}, {3}).',
    askhere: '{0} waits for an answer in its own pane ({3}).',
    working: 'working', workingOn: 'working: {0}', planning: 'planning', idle: 'idle {0}', ghostpane: 'ghost: pane gone', ghostconfig: 'ghost: left the team, pane still open', gone: 'gone',
    goneGroup: 'Gone · {0}', blocked: 'blocked by {0}', deleted: 'deleted since', noTasks: 'None', noMessages: 'No messages yet.', noRows: 'Nothing yet.', noTeam: 'No team yet. Ask Claude in the window main to start one.',
    nothing: 'Nothing found.', search: 'Search', synced: 'synced {0} ago', lost: 'reconnecting…', reading: 'reading…', ended: '{0} (ended)', yolo: 'yolo', yoloTitle: 'The lead runs without asking for permission',
    everyone: 'everyone', notices: 'notices', all: 'all', texts: 'texts', tools: 'tools', errors: 'errors', older: 'Show earlier ones', filterMessages: 'Show messages of', filterRows: 'Show in the transcript',
    waiting: 'not read yet', thinking: 'Thinking', you: 'You', queued: 'Queued', result: 'Result', note: 'Note', switch: 'Team shown', keys: 'Keys', close: 'Close',
    keySearch: 'Search', keyClear: 'Clear the search', keyAgent: 'Next, previous agent', keyHelp: 'This list', tokens: '{0} tokens: {1} in, {2} out, {3} written to the cache; {4} read from the cache are not in it',
    s: '{0} s', min: '{0} min', h: '{0} h', d: '{0} d',
    idle_notification: 'is idle', task_assignment: 'assigned', shutdown_request: 'asks to shut down', shutdown_approved: 'shuts down', shutdown_rejected: 'declines to shut down', plan_approval_request: 'asks to have its plan approved', plan_approval_response: 'answers the plan', permission_request: 'asks permission', permission_response: 'answers on permission', teammate_terminated: 'ended', task_completed: 'completed',
  },
  fr: {
    team: 'Équipe', alive: 'Équipe · {0} actifs sur {1}', tasks: 'Tâches', pending: 'À faire · {0}', in_progress: 'En cours · {0}', completed: 'Terminées · {0}',
    messages: 'Messages', agent: 'Agent', transcript: 'Transcription', pane: '{0} · panneau {1} · en direct', nopane: '{0} · sans panneau', inprocess: '{0} · dans le processus du chef d’équipe',
    ask: '{0} demande l’autorisation d’exécuter {1} : répondez dans le panneau du chef d’équipe (fenêtre {2}, {3}).', askplan: '{0} demande l’approbation de son plan : répondez dans le panneau du chef d’équipe (fenêtre {2}, {3}).',
    askhere: '{0} attend une réponse dans son propre panneau ({3}).',
    working: 'au travail', workingOn: 'au travail : {0}', planning: 'planification', idle: 'inactif depuis {0}', ghostpane: 'fantôme : panneau disparu', ghostconfig: 'fantôme : a quitté l’équipe, panneau encore ouvert', gone: 'parti',
    goneGroup: 'Partis · {0}', blocked: 'bloquée par {0}', deleted: 'supprimée depuis', noTasks: 'Aucune', noMessages: 'Pas encore de message.', noRows: 'Rien pour l’instant.', noTeam: 'Pas encore d’équipe. Demandez à Claude d’en former une, dans la fenêtre main.',
    nothing: 'Rien trouvé.', search: 'Rechercher', synced: 'à jour il y a {0}', lost: 'reconnexion…', reading: 'lecture…', ended: '{0} (terminée)', yolo: 'yolo', yoloTitle: 'Le chef d’équipe n’attend aucune autorisation',
    everyone: 'tout le monde', notices: 'avis', all: 'tout', texts: 'textes', tools: 'outils', errors: 'erreurs', older: 'Afficher les précédents', filterMessages: 'Afficher les messages de', filterRows: 'Afficher dans la transcription',
    waiting: 'pas encore lu', thinking: 'Réflexion', you: 'Vous', queued: 'En attente', result: 'Résultat', note: 'Note', switch: 'Équipe affichée', keys: 'Touches', close: 'Fermer',
    keySearch: 'Rechercher', keyClear: 'Effacer la recherche', keyAgent: 'Agent suivant, précédent', keyHelp: 'Cette liste', tokens: '{0} jetons : {1} en entrée, {2} en sortie, {3} écrits dans le cache ; {4} lus dans le cache n’y sont pas comptés',
    s: '{0} s', min: '{0} min', h: '{0} h', d: '{0} j',
    idle_notification: 'est inactif', task_assignment: 'confie', shutdown_request: 'demande l’arrêt', shutdown_approved: 's’arrête', shutdown_rejected: 'refuse de s’arrêter', plan_approval_request: 'demande l’approbation de son plan', plan_approval_response: 'répond au sujet du plan', permission_request: 'demande une autorisation', permission_response: 'répond sur l’autorisation', teammate_terminated: 'a pris fin', task_completed: 'a terminé',
  },
};

// client runs in the browser, and uses nothing of this file but what it is given.
function client(TEXTS) {
  'use strict';
  const language = /^fr\b/i.test(navigator.language) ? 'fr' : 'en';
  const texts = TEXTS[language];
  document.documentElement.lang = language;
  const say = (key, ...args) => (texts[key] ?? key).replace(/\{(\d)\}/g, (_, i) => args[i] ?? '');
  const $ = (id) => document.getElementById(id);

  // h makes an element; what is within is elements and texts.
  function h(tag, name, ...within) {
    const element = document.createElement(tag);
    if (name) element.className = name;
    element.append(...within.filter((w) => w !== null && w !== undefined && w !== ''));
    return element;
  }

  // each keeps the children of a box equal to the items: those with the same
  // key stay the same elements, those that look the same are left alone.
  function each(box, items, make) {
    const old = new Map([...box.children].map((child) => [child.dataset.key, child]));
    let at = box.firstElementChild;
    for (const item of items) {
      const looks = JSON.stringify(item), before = old.get(String(item.key));
      let element = before;
      if (before?.looks !== looks) {
        element = make(item);
        element.dataset.key = item.key;
        element.looks = looks;
        if (before) {
          if (before.open && 'open' in element) element.open = true;
          const focused = before.contains(document.activeElement);
          if (before === at) at = before.nextElementSibling;
          before.replaceWith(element);
          if (focused) (element.matches('button') ? element : element.querySelector('summary,button'))?.focus();
          old.delete(element.dataset.key);
          continue;
        }
      }
      old.delete(String(item.key));
      if (element === at) at = at.nextElementSibling;
      else box.insertBefore(element, at);
    }
    for (const element of old.values()) element.remove();
  }

  // stay keeps a list at its end while it is there.
  function stay(box, change) {
    const end = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
    change();
    if (end) box.scrollTop = box.scrollHeight;
  }

  const tokens = (n) => (n < 1000 ? String(n) : n < 999500 ? Math.round(n / 1000) + 'k' : (n / 1e6).toFixed(1) + 'M');
  const number = (n) => n.toLocaleString(language);
  function span(ms) {
    const s = Math.max(0, Math.round(ms / 1000));
    return s < 60 ? say('s', s) : s < 3600 ? say('min', Math.round(s / 60)) : s < 86400 ? say('h', Math.round(s / 3600)) : say('d', Math.round(s / 86400));
  }
  const two = (n) => String(n).padStart(2, '0');
  function clock(time, seconds) {
    const d = new Date(time), element = h('time', '', time ? two(d.getHours()) + ':' + two(d.getMinutes()) + (seconds ? ':' + two(d.getSeconds()) : '') : '');
    if (time) { element.dateTime = d.toISOString(); element.title = d.toLocaleString(language); }
    return element;
  }
  // parts puts elements in the places of a text.
  const parts = (key, ...args) => (texts[key] ?? key).split(/(\{\d\})/).map((p) => (/^\{\d\}$/.test(p) ? args[p[1]] : p)).filter((p) => p !== undefined);

  const hash = new URLSearchParams(location.hash.slice(1));
  const chosen = { team: hash.get('team') || '', agent: hash.get('agent') || '' };
  let state = null, lead = '', messages = new Map(), rows = new Map(), older = false, pane = null, query = '', synced = 0, source = null, drawing = false, fresh = true;

  function listen() {
    source?.close();
    const next = source = new EventSource('/events?' + new URLSearchParams(chosen));
    const on = (event, take) => next.addEventListener(event, (e) => { if (next === source) { synced = Date.now(); take(JSON.parse(e.data)); draw(event !== 'sync'); } });
    on('state', (s) => { state = s; });
    on('messages', (m) => {
      if (m.all) messages.clear();
      for (const one of m.messages) messages.set(one.id, one);
      drop(messages);
    });
    on('rows', (r) => {
      if (r.all) { rows.clear(); older = r.older; $('rows').dataset.end = '1'; }
      for (const one of r.rows) rows.set(one.id, one);
      if (!r.all) drop(rows);
    });
    on('pane', (p) => { pane = p; });
    on('sync', () => {});
    next.onerror = () => {
      if (next !== source) return;
      synced = 0;
      draw();
      if (next.readyState === EventSource.CLOSED) setTimeout(() => { if (next === source) listen(); }, 2000);
    };
  }

  function choose(what) {
    Object.assign(chosen, what);
    history.replaceState(null, '', '#' + new URLSearchParams(Object.entries(chosen).filter(([, v]) => v)));
    rows.clear();
    pane = null;
    listen();
    draw();
  }

  // drop keeps a map to the latest of too many.
  function drop(map) {
    if (map.size < 1500) return;
    const byTime = [...map.values()].sort((a, b) => a.time - b.time);
    for (const one of byTime.slice(0, 500)) map.delete(one.id);
  }

  // draw shows the state, once a frame at the most; without news, only what
  // the time changes.
  function draw(news = true) {
    fresh ||= news;
    if (drawing) return;
    drawing = true;
    (document.hidden ? setTimeout : requestAnimationFrame)(() => { drawing = false; show(); });
  }

  const found = (...of) => !query || of.some((text) => text && String(text).toLowerCase().includes(query));

  function show() {
    pills();
    if (!state) return;
    const team = state.team;
    lead = team?.lead || '';
    if (chosen.agent && team && !team.members.some((m) => m.name === chosen.agent)) chosen.agent = '';
    members(team);
    asks(team);
    board(team);
    if (!fresh) return;
    fresh = false;
    feed(team);
    detail(team);
  }

  function pills() {
    const lost = !synced;
    $('synced').textContent = lost ? say(state ? 'lost' : 'reading') : state?.reading > 1e6 ? say('reading') : say('synced', span(Math.max(1000, Date.now() - synced)));
    $('synced').classList.toggle('warn', lost && !!state);
    if (!state) return;
    $('project').textContent = state.project;
    $('yolo').hidden = !state.team?.yolo;
    $('teams').hidden = state.teams.length < 2;
    $('only').hidden = state.teams.length !== 1;
    if (state.teams.length === 1) $('only').textContent = state.teams[0].live ? state.teams[0].id : say('ended', state.teams[0].id);
    each($('teams'), state.teams.map((t) => ({ key: t.id, live: t.live })), (t) => {
      const option = h('option', '', t.live ? t.key : say('ended', t.key));
      option.value = t.key;
      return option;
    });
    if (state.team && document.activeElement !== $('teams')) $('teams').value = state.team.id;
    const waiting = state.team?.asks.length;
    document.title = (waiting ? '⚠ ' : '') + 'agentbox Observer';
  }

  function doing(m) {
    if (m.state === 'ghost') return say('ghost' + m.why);
    if (m.state === 'gone') return say('gone');
    if (m.state === 'idle') return say('idle', m.since ? span(Date.now() - m.since) : '');
    if (m.tool) return (m.tool + ' ' + m.doing).trim();
    const what = m.why === 'plan' ? say('planning') : m.doing;
    return what ? say('workingOn', what) : say('working');
  }

  function members(team) {
    const all = team?.members || [], here = all.filter((m) => m.state !== 'gone'), gone = all.filter((m) => m.state === 'gone');
    const alive = all.filter((m) => m.state === 'busy' || m.state === 'idle').length;
    $('alive').textContent = team ? say('alive', alive, here.length || all.length) : say('team');
    $('noteam').hidden = !!team;
    $('noteam').textContent = say('noTeam');
    const item = (m) => {
      const { input, output, write, read } = m.tokens;
      return { key: m.name, state: m.state, small: doing(m), tokens: input + output + write, on: m.name === (chosen.agent || lead), title: [m.type, m.model].filter(Boolean).join(' · '),
        count: say('tokens', number(input + output + write), number(input), number(output), number(write), number(read)) };
    };
    const make = (m) => {
      const dot = h('span', 'd ' + m.state), count = h('span', 'tok', tokens(m.tokens));
      count.title = m.count;
      const button = h('button', 'a', dot, h('span', '', m.key, h('small', '', m.small)), count);
      button.type = 'button';
      button.title = m.title;
      button.setAttribute('aria-pressed', m.on);
      button.onclick = () => { choose({ agent: m.key }); view('agent'); };
      return button;
    };
    const match = (m) => found(m.name, doing(m), m.type, m.model);
    const ended = !here.length;
    each($('members'), (ended ? all : here).filter(match).map(item), make);
    $('gone').hidden = ended || !gone.length;
    $('gonecount').textContent = say('goneGroup', gone.length);
    each($('gonelist'), ended ? [] : gone.filter(match).map(item), make);
  }

  function asks(team) {
    each($('asks'), (team?.asks || []).map((a, i) => ({ key: a.name + i, ...a, leadPane: team.leadPane, window: team.leadWindow })), (a) => {
      const kind = a.pane ? 'askhere' : a.tool || a.what ? 'ask' : 'askplan';
      const what = h('code', '', a.tool && a.tool !== 'Bash' ? a.tool + ' ' + a.what : a.what || a.tool);
      return h('div', 'ask', '⚠ ', ...parts(kind, h('b', '', a.name), what, a.window, a.pane || a.leadPane || '?'));
    });
  }

  function board(team) {
    const now = Date.now();
    for (const status of ['pending', 'in_progress', 'completed']) {
      const of = (team?.tasks || []).filter((t) => t.status === status);
      of.sort((a, b) => (status === 'completed' && b.ended - a.ended) || parseFloat(a.id) - parseFloat(b.id));
      const tasks = of.filter((t) => found('#' + t.id, t.subject, t.description, t.owner));
      $(status).previousElementSibling.textContent = say(status, of.length);
      each($(status), tasks.map((t) => {
        const took = status === 'in_progress' && t.started ? now - t.started : status === 'completed' && t.started ? t.ended - t.started : 0;
        const small = [status === 'pending' && t.blockedBy.length ? say('blocked', t.blockedBy.map((b) => '#' + b).join(', ')) : '', t.owner, took > 0 ? span(took) : '', t.deleted ? say('deleted') : ''];
        return { key: t.id + '.' + t.ended, id: t.id, subject: t.subject, text: t.description, small: small.filter(Boolean).join(' · ') };
      }), (t) => {
        const first = ['#' + t.id + ' ' + t.subject, t.small ? h('small', '', t.small) : null];
        return t.text ? h('details', 'c', h('summary', '', ...first), h('p', '', t.text)) : h('div', 'c', ...first);
      });
      if (!$(status).firstElementChild && team) $(status).append(h('div', 'none', say('noTasks')));
      else for (const none of $(status).querySelectorAll('.none')) if ($(status).childElementCount > 1) none.remove();
    }
  }

  function feed(team) {
    const who = $('who').value, notices = $('notices').getAttribute('aria-pressed') === 'true';
    const names = (team?.members || []).map((m) => m.name);
    each($('who'), [{ key: '', text: say('everyone') }, ...names.map((n) => ({ key: n, text: n }))], (o) => {
      const option = h('option', '', o.text);
      option.value = o.key;
      return option;
    });
    $('who').value = names.includes(who) ? who : '';
    const all = [...messages.values()].filter((m) => (notices || !m.notice || m.notice === 'task_assignment')
      && (!$('who').value || m.from === who || m.to === who) && found(m.from, m.to, m.text, m.summary));
    all.sort((a, b) => a.time - b.time || a.id - b.id);
    stay($('messages'), () => each($('messages'), all.map((m) => ({ key: m.id, ...m })), (m) => {
      const waiting = m.waiting ? h('small', '', ' · ' + say('waiting')) : null;
      const bold = h('b', '', m.from + ' → ' + m.to);
      if (m.notice) return h('div', 'm mute', clock(m.time, true), bold, ' ' + say(m.notice) + (m.text ? ' ' + m.text : ''), waiting);
      return long('m', [clock(m.time, true), bold, ' '], m.text, waiting, m.summary);
    }));
    const empty = !all.length;
    $('nomessages').hidden = !empty;
    $('nomessages').textContent = say(query || $('who').value ? 'nothing' : 'noMessages');
  }

  // long shows a text that can be opened when it has many lines.
  function long(name, first, text, last, about) {
    if (text.length < 600 && text.split('\n').length < 9) return h('div', name, ...first, h('span', 't', text), last);
    const body = h('span', 't cut', text), box = h('details', name, h('summary', '', ...first, about && !text.startsWith(about.slice(0, 40)) ? about : '', body, last));
    box.ontoggle = () => body.classList.toggle('cut', !box.open);
    return box;
  }

  function detail(team) {
    const name = chosen.agent || lead, member = team?.members.find((m) => m.name === name);
    const shows = pane && pane.agent === name && pane.pane;
    $('panehead').textContent = !name ? say('agent') : shows ? say('pane', name, pane.pane) : say(member?.within ? 'inprocess' : 'nopane', name);
    const text = shows ? pane.text : '';
    $('pane').hidden = !shows;
    if ($('pane').looks !== text) {
      $('pane').looks = text;
      stay($('pane'), () => $('pane').replaceChildren(...screen(text)));
    }
    const kinds = { texts: ['text', 'prompt', 'message', 'queued', 'note'], tools: ['tool', 'result'] }[$('what').value];
    const results = new Map([...rows.values()].filter((r) => r.kind === 'result').map((r) => [r.call, r]));
    const calls = new Set([...rows.values()].filter((r) => r.kind === 'tool').map((r) => r.call));
    const items = [...rows.values()].filter((r) => !(r.kind === 'result' && calls.has(r.call))).map((r) => {
      const result = r.kind === 'tool' ? results.get(r.call) : null;
      return { key: r.id, ...r, result: result?.text, error: r.error || !!result?.error, change: result?.change || r.change };
    }).filter((r) => (!kinds || kinds.includes(r.kind)) && ($('what').value !== 'errors' || r.error) && found(r.name, r.text, r.more, r.result));
    items.sort((a, b) => a.time - b.time || position(a.key) - position(b.key));
    const box = $('rows');
    if (box.dataset.end) { box.dataset.end = ''; box.scrollTop = box.scrollHeight; }
    stay(box, () => each(box, items, row));
    $('older').hidden = !older;
    $('norows').hidden = items.length > 0;
    $('norows').textContent = say(query || $('what').value ? 'nothing' : 'noRows');
  }

  const position = (id) => { const [, start, i] = id.split('.'); return Number(start) * 1000 + Number(i); };

  function row(r) {
    const time = clock(r.time);
    const bad = r.error ? ' bad' : '';
    if (r.kind === 'tool' || r.kind === 'result') {
      const change = r.change ? ' ' + (r.change[0] ? '+' + r.change[0] : '') + (r.change[0] && r.change[1] ? ' ' : '') + (r.change[1] ? '−' + r.change[1] : '') : '';
      const first = r.kind === 'tool' ? r.text + change : r.text.split('\n')[0].slice(0, 120);
      return h('details', 'm' + bad, h('summary', '', time, h('b', '', r.name || say('result')), ' ' + first),
        r.more ? h('pre', 'in', r.more) : null, r.result || r.kind === 'result' ? h('pre', 'in', r.kind === 'result' ? r.text : r.result) : null);
    }
    if (r.kind === 'message') {
      if (r.notice) return h('div', 'm mute', time, h('b', '', r.name), ' ' + say(r.notice) + (r.text ? ' ' + r.text : ''));
      return long('m', [time, h('b', '', r.name + ' →'), ' '], r.text);
    }
    if (r.kind === 'text') return long('m' + bad, bad ? [time, h('b', '', '⚠ ')] : [time], r.text);
    if (r.kind === 'thinking') return h('details', 'm mute', h('summary', '', time, say('thinking')), h('pre', 'in', r.text));
    return long(r.kind === 'prompt' ? 'm' : 'm mute', [time, h('b', '', say(r.kind === 'prompt' ? 'you' : r.kind)), ' '], r.text);
  }

  // screen turns a terminal's text with its colours into elements.
  function screen(text) {
    const palette = ['#3b3d42', '#f0718a', '#5cc08d', '#e0a33e', '#7aa2f7', '#c099ff', '#5fc4d0', '#d9d9d4', '#7d7f85', '#ff9db0', '#8ee0b4', '#f5c678', '#a6c1ff', '#d9c2ff', '#93e2eb', '#ffffff'];
    const cube = (n) => (n < 16 ? palette[n] : n > 231 ? 'rgb(' + Array(3).fill(8 + (n - 232) * 10) + ')'
      : 'rgb(' + [36, 6, 1].map((d) => [0, 95, 135, 175, 215, 255][Math.floor((n - 16) / d) % 6]) + ')');
    let style = {};
    const out = [];
    for (const piece of text.replace(/\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)/g, '').split(/(\x1b\[[\d;:]*m)/)) {
      if (piece.startsWith('\x1b[')) {
        const codes = piece.slice(2, -1).split(/[;:]/).map(Number);
        for (let i = 0; i < codes.length; i++) {
          const c = codes[i];
          if (c === 38 || c === 48) {
            style[c] = codes[i + 1] === 2 ? 'rgb(' + codes.slice(i + 2, i + 5) + ')' : cube(codes[i + 2] || 0);
            i += codes[i + 1] === 2 ? 4 : 2;
          } else if (c === 0) style = {};
          else if (c >= 30 && c < 38) style[38] = palette[c - 30];
          else if (c >= 90 && c < 98) style[38] = palette[c - 82];
          else if (c >= 40 && c < 48) style[48] = palette[c - 40];
          else if (c >= 100 && c < 108) style[48] = palette[c - 92];
          else if (c === 39 || c === 49) delete style[c - 1];
          else if (c === 22) { delete style[1]; delete style[2]; }
          else if (c >= 23 && c < 30) delete style[c - 20];
          else style[c] = true;
        }
        continue;
      }
      // Few fonts have the corner that Claude Code draws.
      const plain = piece.replace(/[\x00-\x08\x0b-\x1f\x7f]/g, '').replaceAll('⎿', '└');
      if (!plain) continue;
      if (!Object.keys(style).length) { out.push(plain); continue; }
      const element = h('span', '', plain), css = element.style;
      const [fore, back] = style[7] ? [style[48] || '#141517', style[38] || '#d9d9d4'] : [style[38], style[48]];
      if (fore) css.color = fore;
      if (back) css.backgroundColor = back;
      if (style[1]) css.fontWeight = '600';
      if (style[2]) css.opacity = '.65';
      if (style[3]) css.fontStyle = 'italic';
      if (style[4] || style[9]) css.textDecoration = style[9] ? 'line-through' : 'underline';
      out.push(element);
    }
    return out;
  }

  // view is the part shown on a narrow screen.
  function view(name) {
    document.body.dataset.view = name;
    for (const button of document.querySelectorAll('nav button')) button.setAttribute('aria-pressed', button.dataset.view === name);
  }

  for (const element of document.querySelectorAll('[data-say]')) element.textContent = say(element.dataset.say);
  for (const element of document.querySelectorAll('[data-label]')) element.setAttribute('aria-label', say(element.dataset.label));
  $('yolo').title = say('yoloTitle');
  for (const button of document.querySelectorAll('nav button')) button.onclick = () => view(button.dataset.view);
  view('team');
  $('teams').onchange = () => choose({ team: $('teams').value, agent: '' });
  for (const id of ['who', 'what']) $(id).onchange = () => draw();
  $('notices').onclick = () => { $('notices').setAttribute('aria-pressed', $('notices').getAttribute('aria-pressed') !== 'true'); draw(); };
  $('older').onclick = async () => {
    const first = [...rows.values()].reduce((a, b) => (!a || position(b.id) < position(a.id) ? b : a), null);
    const answer = await fetch('/rows?' + new URLSearchParams({ team: state.team.id, agent: chosen.agent || lead, before: first?.id || '' })).then((r) => r.json()).catch(() => null);
    if (!answer) return;
    older = answer.older;
    const box = $('rows'), height = box.scrollHeight;
    for (const one of answer.rows) rows.set(one.id, one);
    fresh = true;
    show();
    box.scrollTop += box.scrollHeight - height;
  };
  const input = $('query');
  const search = (open) => {
    $('open').hidden = open;
    $('find').hidden = !open;
    if (open) return input.select(), input.focus();
    input.value = query = '';
    draw();
  };
  $('open').onclick = () => search(true);
  input.oninput = () => { query = input.value.trim().toLowerCase(); draw(); };
  input.onblur = () => { if (!input.value) search(false); };
  $('keys').querySelector('button').onclick = () => $('keys').close();
  document.onkeydown = (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === 'Escape' && !$('find').hidden) { search(false); $('open').focus(); return e.preventDefault(); }
    if (e.target.matches('input,select') || $('keys').open) return;
    const by = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (e.key === '/') search(true);
    else if (e.key === '?') $('keys').showModal();
    else if (by && (e.key.length === 1 || e.target.matches('.a'))) {
      const all = [...document.querySelectorAll('.a')].filter((a) => a.offsetParent), on = all.findIndex((a) => a.getAttribute('aria-pressed') === 'true');
      const next = all[Math.min(all.length - 1, Math.max(0, on + by))];
      if (!next) return;
      const key = next.dataset.key;
      choose({ agent: key });
      fresh = true;
      show();
      [...document.querySelectorAll('.a')].find((a) => a.dataset.key === key)?.focus();
    } else return;
    e.preventDefault();
  };
  setInterval(() => draw(false), 1000);
  listen();
  draw();
}

const SCRIPT = `(${client})(${JSON.stringify(TEXTS).replaceAll('<', '\\u003c')})`;

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark">
<title>agentbox Observer</title><link rel="icon" href="data:,"><style>${STYLE}</style></head><body>
<header><h1>agentbox</h1><span class="pill" id="only" hidden></span><select class="pill" id="teams" data-label="switch" hidden></select><span class="pill" id="project"></span><span class="pill warn" id="yolo" data-say="yolo" hidden></span>
<span class="pill end" id="synced"></span><button class="pill" id="open" type="button" aria-keyshortcuts="/"><span data-say="search"></span> /</button><label class="pill" id="find" hidden><span class="sr" data-say="search"></span><input id="query" type="search" autocomplete="off" spellcheck="false"></label></header>
<nav><button type="button" data-view="team" data-say="team"></button><button type="button" data-view="tasks" data-say="tasks"></button><button type="button" data-view="messages" data-say="messages"></button><button type="button" data-view="agent" data-say="agent"></button></nav>
<aside data-label="team"><h2 id="alive" data-say="team"></h2><div id="members"></div><details id="gone" hidden><summary id="gonecount"></summary><div id="gonelist"></div></details><p class="none" id="noteam" hidden></p></aside>
<main><div id="asks" role="alert"></div><div id="board"><h2 data-say="tasks"></h2><div class="k"><div><h3></h3><div class="col" id="pending"></div></div><div><h3></h3><div class="col" id="in_progress"></div></div><div><h3></h3><div class="col" id="completed"></div></div></div></div>
<div class="row" id="feed"><h2 data-say="messages"></h2><button id="notices" type="button" aria-pressed="false" data-say="notices"></button><select id="who" data-label="filterMessages"></select></div><div class="list" id="messages" role="log" tabindex="0" data-label="messages"></div><p class="none" id="nomessages" hidden></p></main>
<section data-label="agent"><h2 id="panehead" data-say="agent"></h2><pre id="pane" tabindex="0" data-label="agent" hidden></pre><div class="row"><h2 data-say="transcript"></h2><select id="what" data-label="filterRows"><option value="" data-say="all"></option><option value="texts" data-say="texts"></option><option value="tools" data-say="tools"></option><option value="errors" data-say="errors"></option></select></div>
<div><button class="more" id="older" type="button" data-say="older" hidden></button></div><div class="list" id="rows" role="log" tabindex="0" data-label="transcript"></div><p class="none" id="norows" hidden></p></section>
<dialog id="keys" aria-labelledby="keyshead"><h2 id="keyshead" data-say="keys"></h2><dl><dt><kbd>/</kbd></dt><dd data-say="keySearch"></dd><dt><kbd>Esc</kbd></dt><dd data-say="keyClear"></dd><dt><kbd>j</kbd> <kbd>k</kbd></dt><dd data-say="keyAgent"></dd><dt><kbd>?</kbd></dt><dd data-say="keyHelp"></dd></dl><button class="pill" type="button" data-say="close"></button></dialog>
<script>${SCRIPT}</script></body></html>
`;

const HEADERS = {
  'Content-Security-Policy': `default-src 'none'; script-src ${sha(SCRIPT)}; style-src ${sha(STYLE)}; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'`,
  'X-Content-Type-Options': 'nosniff', 'X-Frame-Options': 'DENY', 'Referrer-Policy': 'no-referrer', 'Cross-Origin-Resource-Policy': 'same-origin', 'Cross-Origin-Opener-Policy': 'same-origin', 'Cache-Control': 'no-store',
};

const server = http.createServer({ headersTimeout: 10 * SECOND, requestTimeout: 20 * SECOND, keepAliveTimeout: 5 * SECOND, maxHeaderSize: 16 * KB }, (request, response) => {
  response.on('error', () => {});
  if (attempt(() => { serve(request, response); return true; })) return;
  if (!response.headersSent) refuse(response, 500, 'The Observer could not answer.');
});
server.maxConnections = 4096;
server.on('clientError', (error, socket) => {
  if (socket.writable && error.code !== 'ECONNRESET') socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  else socket.destroy();
});
server.on('error', (error) => {
  const why = error.code === 'EADDRINUSE' ? `port ${PORT} is in use; set OBSERVER_PORT to another one` : error.message;
  console.error(`observer: cannot listen: ${why}`);
  process.exit(1);
});
if (!Number.isInteger(PORT) || PORT < 0 || PORT > 65535) {
  console.error(`observer: OBSERVER_PORT is ${JSON.stringify(process.env.OBSERVER_PORT)}: it is a number from 0 to 65535`);
  process.exit(1);
}
server.listen(PORT, HOST, () => {
  console.log(`observer: http://127.0.0.1:${server.address().port}/`);
  tick();
});
