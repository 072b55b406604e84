/** A comment of a pull or merge request. */
export interface FakeComment {
  readonly id: number
  body: string
}

/** As much of the interfaces of GitHub and GitLab as deployments ask; nothing leaves this machine. */
export interface FakeCodeHost extends AsyncDisposable {
  readonly url: string
  /** Of every request, in the order they were made. */
  readonly comments: readonly FakeComment[]
  /** Method and path of what was asked, with the token it came with. */
  readonly asked: readonly string[]
  /** What GitLab says of merge requests. */
  readonly mergeRequest: { state: string }
}

export const codeHostToken = 'test-code-host-token'

const pageBytes = 100

export function openFakeCodeHost(): FakeCodeHost {
  // Others have said something before: more than a page of it.
  const comments: FakeComment[] = Array.from({ length: 130 }, (_, id) => ({
    id,
    body: `Said before ${id}`,
  }))
  const asked: string[] = []
  const mergeRequest = { state: 'opened' }

  async function answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const token =
      request.headers.get('authorization') ?? `PRIVATE ${request.headers.get('private-token')}`
    asked.push(`${request.method} ${pathname}`)
    if (!token.endsWith(` ${codeHostToken}`)) return new Response('no', { status: 401 })
    if (pathname.endsWith('/merge_requests')) return Response.json([{ iid: 12 }])
    if (/\/merge_requests\/\d+$/u.test(pathname)) return Response.json(mergeRequest)
    if (request.method === 'GET') {
      const start = (Number(searchParams.get('page') ?? 1) - 1) * pageBytes
      return Response.json(comments.slice(start, start + pageBytes))
    }
    const { body } = (await request.json()) as { readonly body: string }
    if (request.method === 'POST') {
      const made = { id: comments.length, body }
      comments.push(made)
      return Response.json(made, { status: 201 })
    }
    const changed = comments.find(({ id }) => String(id) === pathname.split('/').at(-1))
    if (changed === undefined) return new Response('none', { status: 404 })
    changed.body = body
    return Response.json(changed)
  }

  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer })
  return {
    url: server.url.href.replace(/\/$/u, ''),
    comments,
    asked,
    mergeRequest,
    [Symbol.asyncDispose]: async () => await server.stop(true),
  }
}
