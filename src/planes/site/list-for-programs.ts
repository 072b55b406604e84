import type { Documentation } from './documentation.ts'

/** `GET /llms.txt`: what there is to read, for programs that read (llmstxt.org): a link a page, as Markdown. */
export const listForPrograms = (documentation: Documentation): string => {
  const pages = [...documentation].filter(([path]) => path !== '/docs/')
  return `# Sedge

> Edge asset delivery that one runs oneself: images, vector files and video of many tenants (zones), each write a commit in git, delivered in the size and format that each visitor needs.

The interface as OpenAPI: [/api/openapi.json](/api/openapi.json). A question in words: \`GET /api/docs/search?q=…\` finds pages, \`POST /api/chat\` answers with sources. For assistants that write code: [a skill](/docs/skills/sedge/SKILL.md).

## Documentation

${pages.map(([path, { title, description }]) => `- [${title}](${path}.md): ${description}`).join('\n')}
`
}
