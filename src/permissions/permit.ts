/**
 * The permit: the one thing a tool runs on. Minted here, from a recorded call and a decision that allows it; the agent
 * puts it on record before anything else sees it. Sealed like `Recorded`: nominal for the compiler, looked up at the door.
 */
import { assertRecorded, type Recorded } from '../audit/trail.ts';
import { HookdError } from '../core/errors.ts';
import type { Decision, HookedCall, ToolCall, Workplace } from '../core/vocabulary.ts';
import type { HidesName } from './hidden-names.ts';

const minted = new WeakSet<object>();

class SealedPermit {
  readonly call: ToolCall;
  readonly decision: Decision;
  /** Digest of the settings that decided. */
  readonly policy: string;
  readonly workplace: Workplace;
  /** Names that a list of files leaves out. */
  readonly hides: HidesName;
  readonly #sealed = true;

  constructor(call: ToolCall, decision: Decision, policy: string, workplace: Workplace, hides: HidesName) {
    this.call = call;
    this.decision = decision;
    this.policy = policy;
    this.workplace = workplace;
    this.hides = hides;
    Object.freeze(this);
  }

  get isSealed(): boolean {
    return this.#sealed;
  }
}

export type { SealedPermit as Permit };

/** Throws unless the call was recorded as judged by its hooks, and the decision allows it. */
export function mintPermit(
  hooked: Recorded<HookedCall>,
  decision: Decision,
  policy: string,
  workplace: Workplace,
  hides: HidesName = () => false,
): SealedPermit {
  assertRecorded(hooked, 'hooked_call');
  if (decision.behavior !== 'allow') {
    throw new HookdError('INTERNAL', `A permit was asked for a decision that says ${decision.behavior}.`);
  }
  const permit = new SealedPermit(hooked.value.call, decision, policy, workplace, hides);
  minted.add(permit);
  return permit;
}

/** The run-time half of the seal. */
export function assertPermit(permit: SealedPermit): void {
  if (!minted.has(permit)) throw new HookdError('INTERNAL', 'A permit that was not minted reached a tool.');
}
