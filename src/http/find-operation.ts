import { TrieRouter } from 'hono/router/trie-router'
import { getPath } from 'hono/utils/url'

import type { Operation } from './operation.ts'
import { bySpecificity, honoPattern } from './routes.ts'

/** The operation that an app with these would serve a request with, for who only wants to know which. */
export function createOperationFinder(
  operations: readonly Operation[],
): (request: Request) => Operation | undefined {
  const router = new TrieRouter<Operation>()
  for (const operation of bySpecificity(operations))
    router.add(operation.method.toUpperCase(), honoPattern(operation.path), operation)
  return (request) => {
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const [[found] = []] = router.match(method, getPath(request))
    return found?.[0]
  }
}
