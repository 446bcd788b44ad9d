/**
 * Schemas → validators. In the bundle scripts/validators.mjs puts ready-made code in the place of this module: compiling
 * the schemas took a third of each start.
 */
import { Ajv, type ValidateFunction } from 'ajv';

export interface ValidatorOptions {
  /** All errors, not only the first. */
  readonly allErrors?: boolean;
  /** Errors hold the value and the part of the schema that they are about. */
  readonly verbose?: boolean;
  readonly allowUnionTypes?: boolean;
  readonly strict?: boolean;
  /** False: what a `$ref` names is compiled once, not wherever it is named. */
  readonly inlineRefs?: boolean;
}

/** Keys of our schemas that say nothing about what fits. */
const VOCABULARY = ['x-scopes'];

/**
 * `name` is the schema's own among all of the program, since the bundle finds the code by it. Compiled at the first use: who
 * never validates does not pay for it.
 */
export function validatorOf<T>(
  _name: string,
  schema: () => object,
  options: ValidatorOptions,
): () => ValidateFunction<T> {
  let compiled: ValidateFunction<T> | undefined;
  return () => {
    compiled ??= new Ajv(options).addVocabulary(VOCABULARY).compile<T>(schema());
    return compiled;
  };
}
