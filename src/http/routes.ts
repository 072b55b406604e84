import type { Operation } from './operation.ts'

/** How Hono spells the address; the last `{path}` takes the rest: slashes, line breaks and nothing included. */
export function honoPattern(path: string): string {
  return path.replace(/\{path\}$/u, String.raw`:path{[\s\S]*}`).replaceAll(/\{(\w+)\}/gu, ':$1')
}

const isGreedy = (path: string): boolean => path.endsWith('{path}')

/** The first match wins, so a fixed address comes before one with parameters, and a greedy one last. */
export function bySpecificity<Each extends Operation>(operations: readonly Each[]): Each[] {
  return operations.toSorted((a, b) => weight(a.path) - weight(b.path))
}

const weight = (path: string): number =>
  (isGreedy(path) ? 100 : 0) + (path.match(/\{/gu)?.length ?? 0)

/**
 * The parameters of a match: each decoded, but a greedy `path` exactly as in the address, because only
 * its reader knows which slashes are the path's own.
 */
export function readParams(
  operation: Operation,
  decoded: Readonly<Record<string, string>>,
  url: string,
): Readonly<Record<string, string>> {
  return isGreedy(operation.path)
    ? { ...decoded, path: pathAfter(url, operation.path.split('/').length - 1) }
    : decoded
}

/** What follows the `count`th slash of the address's path. */
function pathAfter(url: string, count: number): string {
  let index = url.indexOf('/', url.indexOf('//') + 2)
  for (let slash = 1; slash < count && index !== -1; slash += 1) index = url.indexOf('/', index + 1)
  const end = url.search(/[?#]/u)
  return index === -1 ? '' : url.slice(index + 1, end === -1 ? undefined : end)
}
