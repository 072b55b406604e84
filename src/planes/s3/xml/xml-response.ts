import { type XmlContent, xmlDocument } from './write-xml.ts'

const xmlType = 'application/xml'

export const xmlResponse = (root: string, content: XmlContent, status = 200): Response =>
  new Response(xmlDocument(root, content), { status, headers: { 'Content-Type': xmlType } })
