"""What Karpenter's settings become where the user left them open, one noun a file."""
