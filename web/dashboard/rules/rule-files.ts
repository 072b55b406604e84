import type { ResponseOf } from '../../../src/client/types.ts'
import { t } from '../language/text.ts'
import type { Need } from '../parts/access/may.ts'

export type RuleFile = NonNullable<ResponseOf<'getRules'>['File']>

/** A rule file, and whose it is. */
export interface RulesOf {
  readonly file: RuleFile
  /** Left out, it is for all zones. */
  readonly zone: string | undefined
}

export const ruleFiles = [
  { value: '_headers', label: t('Headers') },
  { value: '_redirects', label: t('Redirects') },
  { value: '_transforms', label: t('Transforms') },
] as const satisfies readonly { readonly value: RuleFile; readonly label: string }[]

const memberByFile = {
  _headers: 'Headers',
  _redirects: 'Redirects',
  _transforms: 'Transforms',
} as const

export const contentIn = (rules: ResponseOf<'getRules'>, file: RuleFile): string =>
  rules[memberByFile[file]] ?? ''

/** What names the file in a request. */
export const fieldsOf = ({ file, zone }: RulesOf) => ({
  File: file,
  ...(zone !== undefined && { Zone: zone }),
})

export const queryOf = ({ file, zone }: RulesOf) => ({
  file,
  ...(zone !== undefined && { zone }),
})

/** What it takes to save them. */
export const needOf = ({ zone }: RulesOf): Need => ({ scope: 'rules:write', zone: zone ?? null })

/** The same rules with another text of a file. */
export const withContent =
  (file: RuleFile, text: string) =>
  (rules: ResponseOf<'getRules'> | undefined): ResponseOf<'getRules'> | undefined =>
    rules && { ...rules, [memberByFile[file]]: text }
