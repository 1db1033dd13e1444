// The gallery of products: what they look like.
import { productsRepository } from '../../src/catalog/products.ts'
import { html } from '../../src/pages/html.ts'
import { queryValue } from '../../src/pages/scope.ts'
import type { Desk } from './desk.ts'

export function productRoutes(desk: Desk): void {
  void [desk, html, queryValue, productsRepository]
}
