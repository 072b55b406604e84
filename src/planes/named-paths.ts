import { z } from 'zod'

import { type AssetPath, parseAssetPath } from '../domain/content/asset-path.ts'
import { createFaults } from '../domain/content/files/edit-faults.ts'
import type { Relocation } from '../domain/content/files/file-edit.ts'
import { invalid } from '../domain/errors.ts'
import type { Caller } from '../http/operation.ts'
import { requireScope } from './required-scope.ts'

/** So many paths one request may name. */
const maxPaths = 1000

export const namedPaths = z
  .array(z.string())
  .min(1)
  .max(maxPaths)
  .describe('Files, and directories with a slash at the end')

/** A path that a request names. */
export interface NamedPath {
  readonly path: AssetPath
  /** Whether it ends with a slash. */
  readonly isDirectory: boolean
  /** What the request calls it, for refusals. */
  readonly field: string
}

export function parseNamedPath(text: string, field: string): NamedPath {
  const isDirectory = text.endsWith('/')
  return { path: parseAssetPath(isDirectory ? text.slice(0, -1) : text, field), isDirectory, field }
}

/** Refuses all of them where one breaks a rule or is named twice, with a detail for each that does. */
export async function parseNamedPaths(texts: readonly string[]): Promise<readonly NamedPath[]> {
  const faults = createFaults(texts.length)
  const fieldByPath = new Map<string, string>()
  const named: NamedPath[] = []
  for (const [index, text] of texts.entries()) {
    const field = `Paths[${index}]`
    await faults.noting(field, async () => {
      const each = parseNamedPath(text, field)
      const other = fieldByPath.get(each.path)
      if (other !== undefined) throw invalid(field, `is the same as ${other}`)
      fieldByPath.set(each.path, field)
      named.push(each)
    })
  }
  faults.throwAny()
  return named
}

/** Where something named goes that is put into a directory under its own name. */
export function pathInto(directory: AssetPath, path: AssetPath, field: string): AssetPath {
  return parseAssetPath(`${directory}/${path.slice(path.lastIndexOf('/') + 1)}`, field)
}

/** Who may only write could read what is private by giving it a public path. */
export function requireMayShow(
  caller: Caller,
  { from, to }: Pick<Relocation, 'from' | 'to'>,
): void {
  if (isBelowPrivate(from) && !isBelowPrivate(to))
    requireScope(caller, 'storage:read', 'Giving what is private a public path')
}

const isBelowPrivate = (path: AssetPath): boolean => path.split('/')[2] === 'private'
