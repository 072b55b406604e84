import { join } from 'node:path'

const root = join(import.meta.dir, '..', '..')

export interface CodeBlock {
  readonly language: string
  readonly code: string
}

/** The fenced code blocks of a Markdown file, named from the root of the repository, in order. */
export async function codeBlocks(file: string): Promise<readonly CodeBlock[]> {
  const markdown = await Bun.file(join(root, file)).text()
  return [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gmu)].map(
    ([, language = '', code = '']) => ({ language, code }),
  )
}
