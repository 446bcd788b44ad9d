/**
 * What a text costs to be parsed and judged, before it is: one pass over its characters. Quoted text and quoted
 * here-documents are data, and cost nothing. It bounds work only: what is misread here costs time, or a question.
 */

/** What each may cost where it is the first of its kind in a process; ten are about ten microseconds. */
const COST = {
  command: 40,
  word: 10,
  hereDoc: 100,
  redirection: 15,
  group: 20,
  brace: 10,
  expansion: 5,
  pattern: 4,
  quote: 2,
  arithmetic: 3,
} as const;

/** 1200 words, or 300 commands: far beyond what anybody writes by hand. */
const MOST_EFFORT = 12_000;
/** A shorter text comes to less, whatever it holds. */
const SHORTEST = MOST_EFFORT / 40;

/** What a character may mean: nothing, a blank, something outside quotes, something in double quotes as well. */
const [NOTHING, BLANK, MARK, ALSO_QUOTED] = [0, 1, 2, 3];
const MEANING = new Uint8Array(0x10000);
for (const [chars, meaning] of [
  [' \t', BLANK],
  ["\n;&|<>()#'{},*?[~!", MARK],
  ['\\"`$', ALSO_QUOTED],
] as const)
  for (const char of chars) MEANING[char.charCodeAt(0)] = meaning;

/** The delimiter of a here-document, where it is plain. */
const DELIMITER = /<<(-?)[ \t]*(?:'([^'\n]*)'|"([^"\n]*)"|(\\?)([\w.]+))(?=[\s;&|<>()]|$)/y;

export function takesTooMuchEffort(text: string): boolean {
  return text.length > SHORTEST && new Scan(text).isTooMuch();
}

function endOfRun(text: string, from: number, meaning?: number): number {
  let at = from;
  while (MEANING[text.charCodeAt(at)] === meaning) at++;
  return at;
}

class Scan {
  readonly #text: string;
  #at = 0;
  #effort = 0;
  /** What is open, each as the character that closes it. */
  readonly #open: string[] = [];
  /** How much was open where arithmetic began. */
  #arithmetic = Number.POSITIVE_INFINITY;
  #arithmeticFrom = 0;
  /** What is innermost are double quotes. */
  #isQuoted = false;
  #inWord = false;
  #beginsCommand = true;
  #hereDocs: { delimiter: string; isQuoted: boolean; isIndented: boolean }[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  isTooMuch(): boolean {
    const text = this.#text;
    for (; this.#at < text.length; this.#at++) {
      const meaning = MEANING[text.charCodeAt(this.#at)];
      if (this.#isQuoted && meaning !== ALSO_QUOTED) {
        this.#at = endOfRun(text, this.#at, meaning) - 1;
      } else if (meaning === NOTHING || meaning === BLANK) {
        if (meaning === BLANK) this.#inWord = false;
        else this.#beginWord();
        this.#at = endOfRun(text, this.#at, meaning) - 1;
      } else {
        this.#read(text[this.#at] ?? '');
        if (this.#effort > MOST_EFFORT) return true;
      }
    }
    this.#endArithmetic();
    return this.#effort > MOST_EFFORT;
  }

  get #closer(): string | undefined {
    return this.#open[this.#open.length - 1];
  }

  #read(char: string): void {
    if (char === '\\') {
      // With the end of a line it is nothing at all.
      if (this.#text[++this.#at] === '\n') return;
      this.#effort++;
      this.#beginWord();
    } else if (char === '"') {
      this.#beginWord();
      if (this.#isQuoted) this.#end('"');
      else this.#begin('"', COST.quote);
    } else if (char === '`') {
      this.#beginWord();
      if (this.#closer === '`') this.#end('`');
      else this.#begin('`', COST.group);
    } else if (char === '$') {
      this.#beginWord();
      this.#expand(this.#text[this.#at + 1]);
    } else {
      this.#readUnquoted(char);
    }
  }

  #readUnquoted(char: string): void {
    switch (char) {
      case ';':
      case '&':
      case '|':
      case '\n':
        this.#separate();
        if (char === '\n' && this.#hereDocs.length > 0) this.#skipBodies();
        return;
      case '<':
      case '>':
        this.#redirect();
        return;
      case '(':
        this.#group();
        return;
      case ')':
        this.#separate();
        this.#end(')');
        return;
      case '#':
        if (this.#inWord) return;
        this.#effort += COST.word;
        this.#at = this.#next('\n', this.#at) - 1;
        return;
      case "'":
        this.#beginWord();
        this.#effort += COST.quote;
        this.#at = this.#next("'", this.#at + 1);
        return;
      default:
        this.#beginWord();
        if (char === '}') this.#end('}');
        else this.#effort += char === ',' ? 1 : char === '{' ? COST.brace : COST.pattern;
    }
  }

  #beginWord(): void {
    if (this.#inWord) return;
    this.#inWord = true;
    this.#effort += this.#beginsCommand ? COST.command : COST.word;
    this.#beginsCommand = false;
  }

  #separate(): void {
    this.#effort++;
    this.#inWord = false;
    this.#beginsCommand = true;
  }

  #begin(closer: string, cost: number): void {
    this.#effort += cost;
    this.#open.push(closer);
    this.#isQuoted = closer === '"';
    if (closer === '"' || closer === '}') return;
    this.#inWord = false;
    this.#beginsCommand = true;
  }

  #end(closer: string): void {
    if (this.#closer !== closer) return;
    this.#open.pop();
    this.#isQuoted = this.#closer === '"';
    if (this.#open.length <= this.#arithmetic) this.#endArithmetic();
  }

  #endArithmetic(): void {
    if (this.#arithmetic < Number.POSITIVE_INFINITY)
      this.#effort += COST.arithmetic * (this.#at - this.#arithmeticFrom);
    this.#arithmetic = Number.POSITIVE_INFINITY;
  }

  #expand(next: string | undefined): void {
    this.#effort += COST.expansion;
    if (next === '(') {
      this.#at++;
      this.#group();
    } else if (next === '{') {
      this.#at++;
      this.#begin('}', 0);
    } else if (next === "'" && !this.#isQuoted) {
      let end = this.#at + 2;
      while (end < this.#text.length && this.#text[end] !== "'") end += this.#text[end] === '\\' ? 2 : 1;
      this.#at = end;
    }
  }

  #group(): void {
    if (this.#text[this.#at + 1] === '(' && this.#open.length < this.#arithmetic) {
      this.#arithmetic = this.#open.length;
      this.#arithmeticFrom = this.#at;
    }
    this.#begin(')', COST.group);
  }

  #redirect(): void {
    const text = this.#text;
    this.#effort += COST.redirection;
    this.#inWord = false;
    if (text.startsWith('<<<', this.#at)) {
      this.#at += 2;
      return;
    }
    DELIMITER.lastIndex = this.#at;
    const found = this.#arithmetic < this.#open.length || this.#closer === '}' ? null : DELIMITER.exec(text);
    if (found === null) return;
    const [all, dash, single, double, backslash, plain] = found;
    this.#effort += COST.hereDoc;
    this.#at += all.length - 1;
    const delimiter = single ?? double ?? plain ?? '';
    this.#hereDocs.push({ delimiter, isQuoted: backslash !== '', isIndented: dash === '-' });
  }

  /** To the end of the last body; what expands in them is counted. */
  #skipBodies(): void {
    for (const { delimiter, isQuoted, isIndented } of this.#hereDocs) {
      let isClosed = false;
      while (!isClosed && this.#at < this.#text.length) {
        const from = this.#at + 1;
        this.#at = this.#next('\n', from);
        const line = this.#text.slice(from, this.#at);
        isClosed = (isIndented ? line.replace(/^\t+/, '') : line) === delimiter;
        if (!isQuoted) this.#effort += COST.expansion * (line.match(/[$`\\]/g)?.length ?? 0);
      }
    }
    this.#hereDocs = [];
  }

  #next(char: string, from: number): number {
    const at = this.#text.indexOf(char, from);
    return at < 0 ? this.#text.length : at;
  }
}
