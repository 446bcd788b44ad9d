/** What a person decides outside every session, about the settings of a project. */
export interface StandingDecision {
  readonly project: string;
  /** Through which client. */
  readonly client: string;
}

export interface AcceptedFiles extends StandingDecision {
  readonly files: readonly {
    readonly file: string;
    /** Null: there was no file. */
    readonly sha256: string | null;
    readonly loosens: readonly string[];
  }[];
}
