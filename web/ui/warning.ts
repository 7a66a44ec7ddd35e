/** A warning in a list. */
export interface Warning {
  /** What it is, in the language of the interface. */
  readonly meaning: string;
  /** The details of the service, in English unless they are translated. */
  readonly text: string;
  readonly isTranslated?: boolean;
}
