// Settings tab `export`: print-ready files and where they go.
import { remoteStorages } from '../../storage/remote-storages.ts'
import { checkbox, number, password, radio, section, select, tab, text } from '../kinds.ts'
import type { SettingFacts } from '../setting.ts'

export const exportSettings = tab('export', [
  section('pro-general', 'Export', [
    select('svc_ae_output_file', 'Output File', 'pdf', {
      choices: ['pdf', 'jpeg', 'png', 'zip_pdf_fonts', 'zip_pdf_custom_images'],
    }).says('File type of print-ready exports.'),
    text('svc_printable_statuses', 'Printable Order States', 'processing, completed', {
      format: 'order-states',
    }).says('States of shop orders that are printed by default, separated by commas.'),
    text('svc_file_name', 'File Names', '{number}-{item}-{sku}', { format: 'file-name' }).says(
      'Template of the names of print files. Tags: {number} {order} {item} {sku} {product} {attributes} {quantity} {customer} {view} {date} {job}.',
    ),
    checkbox('svc_ae_hide_crop_marks', 'Hide Crop Marks').says(
      'Leaves the crop marks out of print-ready files with a bleed.',
    ),
    checkbox('svc_ae_mirror', 'Mirror Print Files').says(
      'Mirrors print-ready files from left to right, for transfers and sublimation.',
    ),
    checkbox('svc_ae_outlines', 'Text as Outlines').says(
      'Draws the text of PDFs as paths, without fonts, for printers that cannot read fonts.',
    ),
    number('svc_ae_image_dpi', 'Image DPI', 300, [1, 2400]).says(
      'Resolution of exported images in dots per inch.',
    ),
    number('svc_picture_megapixels', 'Largest Picture in Megapixels', null, [1, 500]).says(
      'Larger pictures are neither uploaded nor printed. Empty: the limit of the server, which is 120 by default; it cannot be exceeded.',
    ),
    checkbox('svc_ae_email_download_link', 'Download Link in E-Mail (Recommended)', true).says(
      "Adds a link to the print-ready file to the order's mails.",
    ),
    checkbox('svc_ae_email_download_link_login', 'Download Link: Customer Login Required', true).says(
      'Demands a login before the linked print-ready file can be downloaded.',
    ),
    checkbox('svc_pro_export_print_download_designer', 'Print-ready file via Download Action').says(
      "Gives customers the print-ready file when they use the designer's download action.",
    ),
    checkbox('svc_ae_email_attachment', 'E-Mail Attachment').says(
      "Attaches the print-ready file to the order's mails.",
    ),
    text('svc_pro_export_webhook_url', 'Webhook URL', '', { format: 'address' }).says(
      'URL that the cloud router calls when a print file is ready.',
    ),
    radio('svc_ae_cloud', 'Cloud', 'none', {
      choices: ['none', ...remoteStorages.map(({ name }) => name)],
    }).says('Cloud storage that print-ready files are pushed to.'),
    ...remoteStorages.flatMap(({ settings }): readonly SettingFacts[] => settings),
    checkbox('svc_ae_recipient_admin', 'Administrator', true).says(
      'Sends the print-ready file to the administrator.',
    ),
    checkbox('svc_ae_recipient_customer', 'Customer').says('Sends the print-ready file to the customer.'),
    radio('svc_pro_export_method', 'Export Method', 'nodecanvas-svg', { format: 'word' }).says(
      'Way in which print-ready files are rendered.',
    ),
  ]),
  section('printful', 'Printful', [
    password('svc_printful_api_key', 'API Token').says(
      'Token of the Printful account; never returned by the API.',
    ),
    text('svc_printful_profit', 'Sales Profit', '', { format: 'amount' }).says(
      "Profit that is added to Printful's prices, as an amount or a percentage.",
    ),
    select('svc_printful_region', 'Region', 'US', { format: 'word' }).says(
      'Region whose availability and prices Printful is asked for.',
    ),
    checkbox('svc_printful_failure_admin_mail', 'Enable Order Failure Mail', true).says(
      'Tells the administrator by mail when an order could not be created at Printful.',
    ),
  ]),
])
