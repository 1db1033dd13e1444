// What pages are made of, and what their forms send.
import t from 'tap'
import { html } from '../../../src/core/html.ts'
import { readForm } from '../../../src/pages/form.ts'
import { choices, notice } from '../../../src/pages/html.ts'

t.test('texts and numbers are escaped, once, and markup is not', (t) => {
  const special = `&<>"'`
  const markup = html`<b title="${special}">${special} ${7}</b>`
  t.equal(markup.text, '<b title="&amp;&lt;&gt;&quot;&#39;">&amp;&lt;&gt;&quot;&#39; 7</b>')
  t.equal(html`<p>${markup}</p>`.text, `<p>${markup.text}</p>`)
  t.end()
})

t.test('lists are joined, and what is not there leaves nothing', (t) => {
  t.equal(html`${['<', [html`<br>`, 1]]}|${false}${null}${undefined}|${0}${''}`.text, '&lt;<br>1||0')
  t.end()
})

t.test('a notice is announced, a problem at once', (t) => {
  t.equal(notice('done', 'a<b').text, '<div class="notice done" role="status">a&lt;b</div>')
  t.equal(notice('problem', 'x').text, '<div class="notice problem" role="alert">x</div>')
  t.end()
})

t.test('one of the choices is selected', (t) => {
  t.equal(
    html`${choices({ a: 'A', '"': '<' }, '"')}`.text,
    '<option value="a">A</option><option value="&quot;" selected>&lt;</option>',
  )
  t.end()
})

t.test('forms are read as browsers send them', (t) => {
  const form = readForm(Buffer.from('a=1&a=2=3&b+c=%C3%A4+%2B&empty=&bare&=nameless'))
  t.strictSame(Object.fromEntries(form), {
    a: ['1', '2=3'],
    'b c': ['ä +'],
    empty: [''],
    bare: [''],
    '': ['nameless'],
  })
  t.equal(readForm(Buffer.from('')).size, 0)
  t.equal(readForm(Buffer.from('&')).get('')?.length, 2)
  for (const broken of ['a=%', 'a=%ff', '%c3=1', Buffer.from([0x61, 0xff])]) {
    t.throws(() => readForm(Buffer.from(broken)), /form/)
  }
  t.end()
})
