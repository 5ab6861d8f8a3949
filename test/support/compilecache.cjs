// Required by mocha before any test is loaded (.mocharc.json): what Node makes of some thousand sources (types stripped, code
// compiled) is kept for the next run. Not while coverage is measured, which compiled code from a cache blurs.
const { enableCompileCache } = require('node:module')
const { join } = require('node:path')

if (!process.env.NODE_V8_COVERAGE) enableCompileCache(join(__dirname, '..', '..', 'node_modules', '.cache', 'tests'))
