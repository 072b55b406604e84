import type { RequestKind, RequestLine } from '../../../ports/traffic/request-log-store.ts'
import { fault, QueryError, type QueryFault, readTerms, type WrittenTerm } from './read-terms.ts'
import { type Condition, freeText, kindsFitting, logWords } from './words.ts'

/** What is sought among requests. */
export interface LogQuery {
  matches(line: RequestLine): boolean
  /** The kinds that lines of it can be among. */
  readonly kinds: ReadonlySet<RequestKind>
  /** Whether the text of a line can be one that matches: cheaper than to take it apart. */
  mayMatch(text: string): boolean
}

/** Reads `status:>=400 -path:/acme/* "free text"`; all conditions must hold. */
export function parseLogQuery(
  text: string,
): { readonly query: LogQuery } | { readonly fault: QueryFault } {
  try {
    return { query: queryOf(readTerms(text)) }
  } catch (error) {
    if (error instanceof QueryError) return { fault: error.fault }
    throw error
  }
}

function queryOf(terms: readonly WrittenTerm[]): LogQuery {
  const conditions = terms.map((term) => ({ ...conditionOf(term), isNegated: term.isNegated }))
  const literals = conditions.flatMap(({ literal, isNegated }) =>
    literal === undefined || isNegated ? [] : [JSON.stringify(literal)],
  )
  const ofStatus = conditions.flatMap(({ ofStatus: test, isNegated }) =>
    test === undefined ? [] : [(status: number) => test(status) !== isNegated],
  )
  return {
    matches: (line) => conditions.every(({ matches, isNegated }) => matches(line) !== isNegated),
    kinds: kindsFitting(ofStatus),
    mayMatch: (line) => literals.every((literal) => line.includes(literal)),
  }
}

function conditionOf(term: WrittenTerm): Condition {
  if (term.word === undefined) return freeText(term)
  const word = Object.hasOwn(logWords, term.word) ? logWords[term.word] : undefined
  if (word === undefined)
    throw fault(
      term.position + (term.isNegated ? 1 : 0),
      `must not have the word ${term.word}: there are ${Object.keys(logWords).join(', ')}; free text with a colon goes in quotes`,
    )
  return word.condition(term)
}
