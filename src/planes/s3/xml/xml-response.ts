import { type XmlContent, xmlDocument } from './write-xml.ts'

/** What is said now need not hold later. What objects may be kept for is theirs to say. */
export const xmlFields = { 'Content-Type': 'application/xml', 'Cache-Control': 'no-store' }

export const xmlResponse = (root: string, content: XmlContent, status = 200): Response =>
  new Response(xmlDocument(root, content), { status, headers: xmlFields })
