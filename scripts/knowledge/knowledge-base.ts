import { basename } from 'node:path'

import type { Passage } from '../../src/domain/assistant/knowledge/passage.ts'
import { markdownPassages } from './markdown-passages.ts'
import { type Description, operationPassages } from './operation-passages.ts'

export interface KnowledgeSources {
  /** Markdown by the file's path in the project. */
  readonly pages: Readonly<Record<string, string>>
  readonly description: object
}

/** What the assistant knows of the service: all of it is said in the documentation. A fact a line. */
export function knowledgeBase({ pages, description }: KnowledgeSources): string {
  const passages: readonly Passage[] = [
    ...Object.entries(pages)
      .filter(([path]) => !saysTheInterfaceAgain.has(path))
      .flatMap(([path, markdown]) => markdownPassages({ markdown, url: urlOf(path) })),
    ...operationPassages(description as Description),
  ]
  const seen = new Set<string>()
  const lines = passages
    .filter(({ title }) => !title.endsWith(exampleQuestions))
    .filter(({ title, text }) => !seen.has(title + text) && seen.add(title + text))
    .map((passage) => JSON.stringify(passage))
  return `${lines.join('\n')}\n`
}

const saysTheInterfaceAgain = new Set(['docs/client-methods.md'])

/** Below this heading are questions, and a question is not an answer to itself. */
const exampleQuestions = '› What to ask'

/** As the service serves them; what introduces the project introduces the service, too. */
const urlOf = (path: string): string =>
  path === 'README.md' ? '/docs/' : `/docs/${basename(path, '.md')}`
