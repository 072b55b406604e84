import { useEffect, useRef } from 'react'

import { SedgeError } from '../../../src/client/errors.ts'
import type { ResponseOf } from '../../../src/client/types.ts'
import { useChange } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { useMay } from '../parts/access/use-may.ts'
import type { LineNote } from './numbered-text.tsx'
import { fieldsOf, needOf, type RulesOf } from './rule-files.ts'
import { useLater } from './use-later.ts'

/** What the service says of a text, line by line, soon after it was typed. */
export function useRuleCheck(rules: RulesOf, text: string, saved: string) {
  const { mutate, variables, error, data, isPending, isSuccess } = useChange('updateRules', {
    changes: [],
  })
  const { file, zone } = rules
  const need = needOf(rules)
  const { isAllowed } = useMay(need.scope, need.zone)
  const settled = useLater(text)
  const asked = useRef<string>(undefined)
  const check = (content: string) => {
    asked.current = content
    mutate({ dry_run: true, body: { ...fieldsOf({ file, zone }), Content: content } })
  }
  useEffect(() => {
    // What was checked by hand meanwhile is not checked again, nor what is saved, nor what one may not save.
    if (isAllowed && settled !== saved && settled !== asked.current) check(settled)
  }, [isAllowed, settled, saved, file, zone, mutate])
  const isOfThis = variables?.body.Content === text
  return {
    check: () => check(text),
    isBusy: isPending,
    isWell: isOfThis && isSuccess && data.Warnings.length === 0,
    notes: isOfThis ? notesOf(error, data) : [],
    /** What it says of no line. */
    fault: isOfThis && !isOfLines(error) ? error : null,
  }
}

/** Lines that are refused, one detail each with its number, and lines that may not do what was meant. */
export function notesOf(
  error: unknown,
  response: ResponseOf<'updateRules'> | undefined,
): readonly LineNote[] {
  const refused = isOfLines(error) ? error.details : []
  return [
    ...refused.map(({ target, message }) => ({
      line: Number(target),
      message: message ?? t('This line can never take effect'),
      isFault: true,
    })),
    ...(response?.Warnings ?? []).map(({ line, message }) => ({ line, message, isFault: false })),
  ]
}

export const isOfLines = (error: unknown): error is SedgeError =>
  error instanceof SedgeError &&
  error.details.length > 0 &&
  error.details.every(({ target }) => /^\d{1,6}$/u.test(target ?? ''))
