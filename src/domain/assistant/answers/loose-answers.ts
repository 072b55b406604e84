import type { Draft } from '../knowledge/draft.ts'
import { factDraft } from './fact-answers.ts'
import type { FindAnswers } from './find-answers.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Request } from '../question/request.ts'

interface Dependencies {
  readonly finds: FindAnswers
  readonly knowledge: Knowledge
}

type Zones = ReadonlySet<string> | undefined

/** Answers where files and documentation both may have one, each for what it asks first. */
export interface LooseAnswers {
  find(request: Request, zones: Zones): Promise<Draft>
  fact(request: Request, zones: Zones): Promise<Draft>
  open(request: Request, zones: Zones): Promise<Draft>
  /** What the documentation says, where the very words that name no file are its own. */
  namedFact(request: Request): Promise<Draft | undefined>
}

const consideredFacts = 8
/** A message has to fit a file as well as this to mean it without saying so. */
const strongScore = 0.8

export function createLooseAnswers({ finds, knowledge }: Dependencies): LooseAnswers {
  const factsFor = ({ message }: Request) => knowledge.find(message, consideredFacts)

  async function sureFact(request: Request): Promise<Draft | undefined> {
    const known = await factsFor(request)
    return known.confidence === 'high' ? factDraft(known) : undefined
  }

  return {
    async namedFact(request) {
      const named = await knowledge.find(request.facets.words.join(' '), consideredFacts)
      if (named.confidence === 'low') return undefined
      const known = await factsFor(request)
      return known.facts.length === 0 ? undefined : factDraft(known)
    },
    async find(request, zones) {
      const found = await finds.search(request, zones)
      if (found.results.length > 0 && found.confidence !== 'low') return finds.found(found)
      return (await sureFact(request)) ?? finds.nothing(zones, found.isDegraded)
    },
    async fact(request, zones) {
      const known = await factsFor(request)
      if (known.facts.length > 0) return factDraft(known)
      const found = await finds.search(request, zones)
      const isAboutFiles = found.confidence === 'high' && request.facets.words.length > 0
      return isAboutFiles ? finds.found(found) : finds.nothing(zones, known.isDegraded)
    },
    async open(request, zones) {
      const found = await finds.search(request, zones)
      const isStrong = (found.results[0]?.score ?? 0) >= strongScore
      if (isStrong && found.confidence === 'high') return finds.found(found)
      const known = await factsFor(request)
      if (known.facts.length > 0) return factDraft(known)
      return found.confidence === 'low'
        ? finds.nothing(zones, known.isDegraded)
        : finds.found(found)
    },
  }
}
