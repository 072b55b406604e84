import { xmlResponse } from '../xml/xml-response.ts'

interface Stored {
  readonly fields: ReadonlyMap<string, string>
  /** Of the object. */
  readonly url: URL
  readonly bucket: string
}

/** What the form asks for: a page that the browser is led to, or a status; 204 where it says nothing. */
export function postResponse(stored: Response, { fields, url, bucket }: Stored): Response {
  const key = fields.get('key') ?? ''
  const etag = stored.headers.get('etag') ?? ''
  const page = pageOf(fields)
  if (page !== undefined) {
    for (const [name, value] of Object.entries({ bucket, key, etag }))
      page.searchParams.set(name, value)
    return withHeaders(new Response(null, { status: 303 }), stored, page.href)
  }
  const status = fields.get('success_action_status')
  if (status === '201') {
    const content = { Location: url.href, Bucket: bucket, Key: key, ETag: etag }
    return withHeaders(xmlResponse('PostResponse', content, 201), stored, url.href)
  }
  return withHeaders(new Response(null, { status: status === '200' ? 200 : 204 }), stored, url.href)
}

/** The signed policy names it, so it is whose who signed trusts. What is no page is passed over. */
function pageOf(fields: ReadonlyMap<string, string>): URL | undefined {
  const page = URL.parse(fields.get('success_action_redirect') ?? fields.get('redirect') ?? '')
  return page !== null && /^https?:$/u.test(page.protocol) ? page : undefined
}

function withHeaders(response: Response, stored: Response, location: string): Response {
  for (const [name, value] of stored.headers) response.headers.set(name, value)
  response.headers.set('Location', location)
  return response
}
