// Settings tabs `fonts`, `colors` and `text-templates`: what customers choose from. The text templates have a route of their own.
import { checkbox, multiselect, section, setting, tab, text } from '../kinds.ts'

export const fonts = tab('fonts', [
  section('fonts', 'Fonts for the typeface dropdown', [
    text('svc_common_fonts', 'System Fonts').says(
      "Names of fonts that customers' systems bring along, separated by commas. While none were ever stored, Arial, Helvetica, Times New Roman, Verdana and Geneva are offered; a lone comma offers none.",
    ),
    multiselect('svc_google_webfonts', 'Google Webfonts').says('Fonts of Google Fonts that are offered.'),
    multiselect('svc_fonts_directory', 'Uploaded Fonts').says(
      'File names of the uploaded fonts that are offered.',
    ),
  ]),
])

export const colors = tab('colors', [
  section('color-names', 'Color Names', [
    setting('values-group', 'svc_hex_names', 'Color Names', '', { format: 'color-names' }).says(
      'Names of colors as hex:name pairs without #, separated by commas.',
    ),
  ]),
  section('color-prices', 'Color Prices', [
    checkbox('svc_enable_text_color_prices', 'Enable for Texts').says(
      'Adds the price of a color when it is used for a text.',
    ),
    checkbox('svc_enable_image_color_prices', 'Enable for Images').says(
      'Adds the price of a color when it is used for an image.',
    ),
    setting('values-group', 'svc_color_prices', 'Color Prices', '', { format: 'color-prices' }).says(
      'Prices of colors as hex:price pairs without #, separated by commas.',
    ),
  ]),
  section('color-lists', 'Color Lists', [
    setting('color-lists', 'svc_color_lists', 'Color Lists', {}).says(
      'Named lists of colors: slug to name and colors.',
    ),
  ]),
  section('color-general', 'General', [
    setting('multi-color-input', 'svc_color_colorPickerPalette', 'Color Picker Swatches', '', {
      format: 'swatches',
    }).says('Colors that the color picker shows as swatches, separated by commas.'),
  ]),
  section('color-library', 'Color Library', [
    setting('color-library', 'svc_color_library', 'Color Library', {}, { readOnly: true }).says(
      'Named colors and palettes; read and written at /color-library only.',
    ),
  ]),
])

export const textTemplates = tab('text-templates', [
  section('tt-general', 'Text Templates', [
    setting('text-templates', 'svc_text_templates', 'Text Templates', []).says(
      'Texts that customers can choose from; read and written at /text-templates only.',
    ),
  ]),
])
