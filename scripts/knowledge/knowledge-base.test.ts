import { expect, test } from 'bun:test'

import { parsePassages } from '../../src/domain/assistant/knowledge/passage.ts'
import { knowledgeBase } from './knowledge-base.ts'

const description = {
  paths: {
    '/api/search': {
      get: {
        summary: 'Find assets',
        description: 'By meaning.',
        tags: ['search'],
        parameters: [
          {
            name: 'limit',
            in: 'query',
            schema: { type: 'integer', minimum: 1, maximum: 50, default: 20 },
          },
          { name: 'q', in: 'query', schema: { type: 'string' } },
        ],
      },
    },
  },
}

const factsOf = (markdown: string, path = 'docs/page.md') =>
  parsePassages(knowledgeBase({ pages: { [path]: markdown }, description: { paths: {} } }))

test('each paragraph, item, row and command is a fact below its headings', () => {
  const page = `# Page
<!-- no fact -->
One thing. See [that](x.md).

## A *part* of it

- first item
- second item,
  which goes on

| Name | Default | Meaning |
| --- | --- | --- |
| \`A\` | 1 \\| 2 | What it is |

\`\`\`sh
# how to do it
do --it \\
  now          
other   # for others
\`\`\`
`
  expect(factsOf(page)).toEqual([
    { title: 'Page', url: '/docs/page', text: 'One thing. See that.' },
    ...[
      'first item',
      'second item, which goes on',
      '`A`: Default 1 | 2. What it is',
      'how to do it: `do --it now`',
      'for others: `other`',
    ].map((text) => ({ title: 'Page › A part of it', url: '/docs/page#a-part-of-it', text })),
  ])
})

test('a long paragraph is cut between sentences', () => {
  const facts = factsOf(`# Page\n\n${'This is a sentence of some length. '.repeat(40)}`)

  expect(facts.length).toBeGreaterThan(1)
  for (const { text } of facts) {
    expect(text.length).toBeLessThan(460)
    expect(text).toEndWith('length.')
  }
})

test('operations and their bounded parameters are facts', () => {
  const facts = parsePassages(knowledgeBase({ pages: {}, description }))
  const where = { title: 'Interface › Find assets', url: '/api/docs#tag/search/GET/api/search' }

  expect(facts).toEqual([
    {
      ...where,
      text: '`GET /api/search`: Find assets. By meaning. Parameters: `limit`, `q`. Needs no key.',
    },
    { ...where, text: '`limit` of `GET /api/search`: from 1 to 50; default 20.' },
  ])
})
