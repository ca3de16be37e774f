"""What text, trees and corrections share: two texts whose characters are aligned."""
