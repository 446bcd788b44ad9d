/** Which changes are still asked about, and what was answered. */
import { orAborted } from './or-aborted.ts';
import type { Answer, ChangeReview, ProposedChange, Withheld } from './withheld.ts';

export class Questions {
  readonly #review: ChangeReview;
  readonly #answers = new WeakMap<Withheld, Answer>();
  readonly #open = new Set<Promise<void>>();

  constructor(review: ChangeReview) {
    this.#review = review;
  }

  /** Tells of a change; the answer is kept where something is withheld for it. */
  ask(change: ProposedChange, withheld: Withheld | undefined): void {
    const asked = this.#review
      .ask(change)
      .then(
        (refusal): Answer => (refusal === undefined ? { kind: 'agreed' } : { kind: 'refused', refusal }),
        (): Answer => ({ kind: 'failed' }),
      )
      .then((answer) => {
        if (withheld === undefined) return;
        this.#answers.set(withheld, answer);
        this.#open.delete(asked);
      });
    if (withheld !== undefined) this.#open.add(asked);
  }

  answerTo(withheld: Withheld): Answer | undefined {
    return this.#answers.get(withheld);
  }

  get areAnswered(): boolean {
    return this.#open.size === 0;
  }

  /** Waits for those that are open now, or until `signal` aborts. */
  answered(signal: AbortSignal): Promise<void> {
    return orAborted(Promise.all(this.#open), signal);
  }
}
