// What counts as a print file, and what it is called.
import t from 'tap'
import { printTypeOf, safeName } from '../../../src/print/file-type.ts'

const typeOf = (text: string) => printTypeOf(Buffer.from(text, 'latin1'))

t.test('printTypeOf: the five print types are known by their bytes', async (t) => {
  t.equal(typeOf('%PDF-1.7\n'), 'pdf')
  t.equal(typeOf('PK\x03\x04rest'), 'zip')
  t.equal(typeOf('\x89PNG\r\n\x1a\nrest'), 'png')
  t.equal(typeOf('\xff\xd8\xff\xe0'), 'jpeg')
  for (const svg of [
    '<svg/>',
    '<svg xmlns="x">',
    '<?xml version="1.0"?>\n<!-- made -->\n<!DOCTYPE svg PUBLIC "-//W3C" "x">\n<svg >',
    '<!DOCTYPE svg [<!ENTITY a "b">]><s:svg xmlns:s="x">',
    '\xef\xbb\xbf<svg>',
  ]) {
    t.equal(typeOf(svg), 'svg', svg)
  }
})

t.test('printTypeOf: nothing else is a print file', async (t) => {
  const others = [
    '',
    ' ',
    '<html>',
    '<!doctype html><svg>',
    '<?php echo 1;',
    '<?php ?><html>',
    'GIF89a',
    'MZ',
    'PK',
  ]
  others.push('<svgx>', '<!-- never ends <svg>', '%!PS', '{"svg":1}', '\x7fELF', '#!/bin/sh')
  t.same(
    others.filter((text) => typeOf(text) !== undefined),
    [],
  )
})

t.test('printTypeOf: a long prolog costs no more than one pass', async (t) => {
  t.equal(typeOf(`${'<!---->'.repeat(9000)}<svg>`), 'svg')
  t.equal(typeOf('<!--'.repeat(20_000)), undefined)
  t.equal(typeOf('<!DOCTYPE ['.repeat(6000)), undefined)
})

t.test('printTypeOf: a stored name can be neither a folder nor a program', async (t) => {
  const name = (path: string) => safeName(new URL(`http://x${path}`), 'pdf')
  t.equal(name('/a/order-12.pdf'), 'order-12.pdf')
  t.equal(name('/..%2f..%2fshell.php'), 'shell.pdf')
  t.equal(name('/shell.php.jpg'), 'shell-php.pdf')
  t.equal(name('/.htaccess'), 'htaccess.pdf')
  t.equal(name('/'), 'print.pdf')
  t.equal(name(`/${'x'.repeat(300)}`), `${'x'.repeat(80)}.pdf`)
  t.equal(name('/Entw%C3%BCrf 1.pdf'), 'Entw-rf-1.pdf')
  t.equal(safeName(new URL('http://x/photo'), 'jpeg'), 'photo.jpg')
})
