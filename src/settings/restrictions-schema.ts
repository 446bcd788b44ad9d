/** The part of the settings schema that keeps variables and http hooks back. It only tightens; no project has a say in it. */
import Type, { type Static } from 'typebox';
import { notFromProjects } from './limits-schema.ts';

const names = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1 }), { ...notFromProjects, description }));

export const RestrictionProperties = {
  scrubEnv: names(
    'Variables that hooks and commands do not get, by name; `*` stands for any text, as in `AWS_*`.',
  ),
  allowedHttpHookUrls: names(
    'The only URLs that http hooks may send to; `*` stands for any text. A URL named here may be plain http.',
  ),
  httpHookAllowedEnvVars: names('The only variables that headers of http hooks may name.'),
};

const RestrictionsSchema = Type.Object(RestrictionProperties);
export type Restrictions = Readonly<Static<typeof RestrictionsSchema>>;

export const RESTRICTION_KEYS = Object.keys(RestrictionProperties) as (keyof Restrictions)[];

/** Those that are there, out of anything that holds them. */
export function restrictionsOf(values: Restrictions): Restrictions {
  return Object.fromEntries(
    RESTRICTION_KEYS.flatMap((key) => (values[key] === undefined ? [] : [[key, values[key]]])),
  );
}
