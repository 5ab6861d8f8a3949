// What a bare TLS server in Node costs for the same bytes: the yardstick of every read. Prints its port.
import { readFileSync } from 'node:fs'
import https from 'node:https'

const [certificateFile = '', keyFile = '', bytes = '1400'] = process.argv.slice(2)
const body = Buffer.alloc(Number(bytes), 'x')
const server = https.createServer(
  { cert: readFileSync(certificateFile), key: readFileSync(keyFile) },
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
  },
)
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' ? address?.port : '')
})
