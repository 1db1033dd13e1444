// Colors the code of the documentation site while it is built: readers load no script for it.
import hljs from 'highlight.js/lib/core'
import apache from 'highlight.js/lib/languages/apache'
import bash from 'highlight.js/lib/languages/bash'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import nginx from 'highlight.js/lib/languages/nginx'
import php from 'highlight.js/lib/languages/php'
import typescript from 'highlight.js/lib/languages/typescript'

/** Grammars by the languages that the documents name. */
const grammars = { apache, js: javascript, json, nginx, php, sh: bash, ts: typescript }
for (const [name, grammar] of Object.entries(grammars)) hljs.registerLanguage(name, grammar)

/** The code as HTML with its parts in elements; undefined if the language has no grammar, such as `text`. */
export const highlighted = (code: string, language: string): string | undefined =>
  Object.hasOwn(grammars, language) ? hljs.highlight(code, { language }).value : undefined
