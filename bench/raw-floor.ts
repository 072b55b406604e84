/**
 * A socket that answers without reading: 10 KB, or the head of a 304 where the path says so. What the kernel and the
 * runtime take for that nobody who answers from them can save.
 */
const fields = Array.from({ length: 14 }, (_, index) => `X-Field-${index}: ${'v'.repeat(40)}\r\n`)
const head = (status: string, length: string) =>
  Buffer.from(`HTTP/1.1 ${status}\r\n${fields.join('')}${length}\r\n`)
const whole = Buffer.concat([head('200 OK', 'Content-Length: 10240\r\n'), Buffer.alloc(10_240)])
const unchanged = head('304 Not Modified', '')
const asksForHead = 'GET /3'.codePointAt(5)

const listener = Bun.listen({
  hostname: '127.0.0.1',
  port: 0,
  socket: {
    data(socket, bytes) {
      socket.write(bytes[5] === asksForHead ? unchanged : whole)
    },
  },
})
console.log(`http://127.0.0.1:${listener.port}`)
