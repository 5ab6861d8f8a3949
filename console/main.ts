// The console: a page that asks the API with the rights of whoever signed in. Start here, then app.ts.
import { render } from 'preact'
import { App } from './app.ts'
import { html } from './parts/html.ts'

const root = document.querySelector('#app')
if (root !== null) render(html`<${App} />`, root)
