/** A redirection of any command that is reached. */
export interface ReachedRedirect {
  readonly writes: boolean;
  readonly targets: readonly string[];
  readonly text: string;
  readonly resolved: boolean;
  readonly cwds: readonly string[];
}
