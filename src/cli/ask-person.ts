/** Puts one question to the person at the terminal, until the answer is clear or the question is gone. */
import { messageOf } from '../core/errors.ts';
import type { ApprovalReply } from '../core/protocol.ts';
import type { ApprovalRequest } from '../core/vocabulary.ts';
import { alwaysQuestion, approvalQuestion } from './approval-question.ts';
import type { LineInput } from './line-input.ts';
import { type Colours, oneLine, printable } from './output.ts';

export interface Asking {
  readonly input: LineInput;
  /** Shows whole lines. */
  readonly say: (line: string) => void;
  readonly colours: Colours;
  readonly columns: () => number;
  /** What the policy says of the call; undefined: it cannot be said here. */
  readonly explain: ((approval: ApprovalRequest) => Promise<readonly string[]>) | undefined;
}

export type TypedAnswer =
  | { readonly kind: 'yes' | 'always' | 'explain' | 'unclear' }
  | { readonly kind: 'no'; readonly reason?: string };

/** Nothing but `y` or `yes` alone is a yes; nothing at all is a no. */
export function readAnswer(line: string): TypedAnswer {
  const [, word = '', rest = ''] = /^\s*(\S*)\s*(.*?)\s*$/s.exec(line) ?? [];
  if (word === '') return { kind: 'no' };
  if (/^no?[,:;.]?$/i.test(word)) return rest === '' ? { kind: 'no' } : { kind: 'no', reason: rest };
  if (rest !== '') return { kind: 'unclear' };
  if (/^y(?:es)?$/i.test(word)) return { kind: 'yes' };
  if (/^a(?:lways)?$/i.test(word)) return { kind: 'always' };
  return { kind: /^(?:e|explain)$/i.test(word) ? 'explain' : 'unclear' };
}

/** undefined when `gone` says that nobody waits for the answer any more, or the input has ended: nobody said yes. */
export async function askPerson(
  approval: ApprovalRequest,
  asking: Asking,
  gone: AbortSignal,
): Promise<ApprovalReply | undefined> {
  const { input, say, colours, columns, explain } = asking;
  const { inputDigest, alwaysRule } = approval;
  const question = approvalQuestion(approval, columns());
  const keys = [
    'y once',
    'n [why]',
    ...(alwaysRule === undefined ? [] : ['a always']),
    ...(explain === undefined ? [] : ['e explain']),
  ].join(' · ');
  say(question.text.replace(/\n$/, ''));
  say(colours.dim(keys));
  for (;;) {
    const line = await input.answer(question.prompt, gone);
    if (line === undefined) return undefined;
    const typed = readAnswer(line);
    if (typed.kind === 'yes') return { answer: 'allow', inputDigest };
    if (typed.kind === 'no') return { answer: 'deny', inputDigest, ...reasonOf(typed) };
    if (typed.kind === 'always' && alwaysRule !== undefined) {
      if (await confirms(alwaysRule, asking, gone)) return { answer: 'allow', inputDigest, alwaysRule };
    } else if (typed.kind === 'explain' && explain !== undefined) {
      for (const text of await explained(explain(approval))) say(text);
    } else say(colours.yellow(`${JSON.stringify(oneLine(line, 30))} is no answer: ${keys}`));
  }
}

async function explained(explanation: Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await explanation;
  } catch (error) {
    return [printable(messageOf(error))];
  }
}

function reasonOf({ reason }: { readonly reason?: string }) {
  return reason === undefined ? {} : { reason };
}

/** The rule is shown to the letter: it will allow calls that nobody is asked about. */
async function confirms(rule: string, { input, say, columns }: Asking, gone: AbortSignal): Promise<boolean> {
  const { text, prompt } = alwaysQuestion(rule, columns());
  say(text);
  const line = await input.answer(prompt, gone);
  return line !== undefined && readAnswer(line).kind === 'yes';
}
