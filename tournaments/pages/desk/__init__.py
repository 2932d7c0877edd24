"""The organisers' desk: what needs them, forms that show what they would make, and a page for every act."""
