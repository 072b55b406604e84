import type { Documentation } from './documentation.ts'
import { navigationOf } from './navigation.ts'

/** Where assistants that write code get it, with the name of its folder. */
export const skillPath = '/docs/skills/sedge/SKILL.md'

interface Sources {
  readonly documentation: Documentation
  /** Markdown by file name without `.md`. */
  readonly texts: ReadonlyMap<string, string>
}

/**
 * A skill (agentskills.io): what the service is, its words, and which page to read for what. All of it is the
 * pages', so that it is never older than they are.
 */
export function skillForAssistants({ documentation, texts }: Sources): string {
  const sections = navigationOf([...texts.keys()]).map(({ title, pages }) => {
    const entries = pages.flatMap((name) => {
      const page = documentation.get(`/docs/${name}`)
      return page === undefined
        ? []
        : [`- \`/docs/${name}.md\`: ${page.title}. ${page.description}`]
    })
    return `### ${title}\n\n${entries.join('\n')}`
  })
  return `---
name: sedge
description: Store, transform, deliver and publish files with Sedge, an edge asset delivery service. Use for its URLs and image parameters, its API, its command line, signed URLs, previews, rules and purging.
---

# Sedge

URLs here have no host: they are of the service that this file came from. Read the page for a task before you write code for it; the interface as OpenAPI is at \`/api/openapi.json\`. To act on files rather than to write about them, connect to \`/mcp\` (\`/docs/agents.md\`).

## Pages

${sections.join('\n\n')}

${demoted(texts.get('concepts') ?? '')}`
}

/** A page as a part of another: its headings a level lower, its links as they lead from anywhere. */
const demoted = (markdown: string): string =>
  markdown
    .replaceAll(/^(#{1,5}) /gmu, '#$1 ')
    .replaceAll(/\]\(([\w-]+\.md)(#[\w-]+)?\)/gu, '](/docs/$1$2)')
    .replaceAll(/^!\[([^\]\n]*)\]\([^)\n]*\)$/gmu, '$1')
