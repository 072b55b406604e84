interface PagedCsv {
  /** Of the first page. */
  readonly url: string
  /** No more is read. */
  readonly maxPages: number
}

/** One table of what the service writes page by page, each of which names the next (RFC 8288). */
export async function readPagedCsv({ url: first, maxPages }: PagedCsv): Promise<string> {
  const parts: string[] = []
  let url: string | undefined = first
  while (url !== undefined && parts.length < maxPages) {
    const response: Response = await fetch(url)
    if (!response.ok) throw new Error(`the table was refused with ${response.status}`)
    const text = await response.text()
    parts.push(parts.length === 0 ? text : withoutHead(text))
    url = nextIn(response.headers.get('link'))
  }
  return parts.join('')
}

const withoutHead = (text: string): string => text.slice(text.indexOf('\r\n') + 2)

const nextIn = (link: string | null): string | undefined =>
  /^<([^<>]{1,2000})>; rel="next"$/u.exec(link ?? '')?.[1]
