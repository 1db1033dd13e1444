// Which settings this product obeys itself. The others are stored for the designer and for the PHP of the shop.
import { remoteStorages } from '../storage/remote-storages.ts'
import { toggleKey, toggleNames } from './toggles.ts'
import { tokenKey } from './token.ts'

const obeyed: ReadonlySet<string> = new Set([
  tokenKey,
  ...toggleNames.map(toggleKey),
  'svc_uploaded_designs_parameter_maxSize',
  'svc_text_templates',
  'svc_fonts_directory',
  'svc_common_fonts',
  'svc_google_webfonts',
  'svc_color_library',
  'svc_color_colorPickerPalette',
  'svc_color_lists',
  'svc_hex_names',
  'svc_color_prices',
  'svc_printable_statuses',
  'svc_file_name',
  'svc_pro_export_method',
  'svc_pro_export_webhook_url',
  'svc_ae_output_file',
  'svc_ae_hide_crop_marks',
  'svc_ae_image_dpi',
  'svc_ae_cloud',
  'svc_picture_megapixels',
  'svc_ae_mirror',
  'svc_ae_outlines',
  'svc_printful_api_key',
  'svc_auto_print',
  'svc_auto_print_statuses',
  'svc_auto_print_types',
  'svc_auto_print_format',
  'svc_auto_print_pages',
  ...remoteStorages.flatMap(({ settings }) => settings.map(({ id }) => id)),
])

/** Whether code of this product reads the setting. */
export const isObeyed = (key: string): boolean => obeyed.has(key)
