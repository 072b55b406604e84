import { join } from 'node:path'

const root = join(import.meta.dir, '..', '..')

export interface CodeBlock {
  readonly language: string
  readonly code: string
}

/** The fenced code blocks of a page of the documentation, in order. */
export async function codeBlocks(page: string): Promise<readonly CodeBlock[]> {
  const markdown = await Bun.file(join(root, 'docs', page)).text()
  return [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gmu)].map(
    ([, language = '', code = '']) => ({ language, code }),
  )
}
