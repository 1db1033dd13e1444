// Settings tab `export`, after the sections of export.ts: which orders are printed automatically, and how.
import { checkbox, multiselect, section, select, tab, text } from '../kinds.ts'

export const autoPrintSettings = tab('export', [
  section('auto-print', 'Automatic Printing', [
    checkbox('svc_auto_print', 'Print Automatically').says(
      'Makes the print files of orders as soon as they reach a printable state.',
    ),
    text('svc_auto_print_statuses', 'Order States', '', { format: 'order-states' }).says(
      'States of shop orders that are printed automatically, separated by commas; empty for the printable ones.',
    ),
    multiselect('svc_auto_print_types', 'Orders Of', ['wc', 'gf', 'shortcode'], {
      choices: ['wc', 'gf', 'shortcode'],
    }).says('Where the orders that are printed automatically come from.'),
    select('svc_auto_print_format', 'File Format', 'default', {
      choices: ['default', 'svg-pdf', 'png', 'jpeg', 'svg'],
    }).says('Format of files that are printed automatically.'),
    select('svc_auto_print_pages', 'Pages', 'single', { choices: ['single', 'sheet'] }).says(
      'One file for each item, or sheets with all pieces of an order.',
    ),
  ]),
])
