"""The organisers' desk: what needs attention, forms with previews, and a page for every act."""
