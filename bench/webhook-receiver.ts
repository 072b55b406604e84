/** The least a receiver can do: reads each message and says yes. Prints its URL. */
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    await request.arrayBuffer()
    return new Response(null, { status: 204 })
  },
})
console.log(server.url.href)
