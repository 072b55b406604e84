/** The least a server can do: sends as many bytes as it was told, as JSON. Prints its URL. */
const body = 'x'.repeat(Number(process.argv[2] ?? 0))
const server = Bun.serve({
  port: 0,
  fetch: () => new Response(body, { headers: { 'Content-Type': 'application/json' } }),
})
console.log(server.url.href)
